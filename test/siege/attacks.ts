/** Every attack, in the order in which they are made. */
import { cheapAttacks } from './attack/cheap.ts'
import { connectionAttacks } from './attack/connection.ts'
import { graphqlAttacks } from './attack/graphql.ts'
import { inputAttacks } from './attack/input.ts'
import { largeRowAttacks } from './attack/large-row.ts'
import { listAttacks } from './attack/list.ts'
import { signInAttacks } from './attack/sign-in.ts'
import { subscriptionAttacks } from './attack/subscription.ts'
import { webhookAttacks } from './attack/webhook.ts'
import type { Attack } from './front.ts'

/** The control comes first. What leaves work behind comes last. */
export const attacks: readonly Attack[] = [
  ...cheapAttacks,
  ...graphqlAttacks,
  ...largeRowAttacks,
  ...listAttacks,
  ...inputAttacks,
  ...connectionAttacks,
  ...subscriptionAttacks,
  ...signInAttacks,
  ...webhookAttacks,
]
