/** The owner of a subscription or a rule, as callers see it. */
import { completedText } from '../core/completion.ts'
import { describeOwner } from '../core/schema/owner.ts'

/** The owner for callers. Customers in the embedded portal do not see it, because it can be a user of the tenant. */
export const shownOwner = completedText(({ actor }, owners) =>
  owners.map((owner) => (actor?.credential.kind === 'portal' ? null : describeOwner(owner))),
)

/** The maximum size of an owner, as JSON. */
export const maxOwnerBytes = 100
