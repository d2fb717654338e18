import type { CostPolicies } from '../../../../../src/core/limits/cost-limiter.ts'

const policy = { units: Number.MAX_SAFE_INTEGER, windowSeconds: 1 }

/** For tests of what a body takes, which it would not be asked for the second time. */
export const boundless: CostPolicies = { address: policy, user: policy, tenant: policy, strangers: policy }
