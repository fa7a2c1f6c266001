"""Every write: each checks, changes and audits in one transaction, and no slow call happens inside one."""
