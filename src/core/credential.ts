/** What shows who calls. */

/**
 * The actor's credential: a token of a session, an API key, a session of the embedded portal, access to the command
 * line, or a job of the application.
 */
export type Credential =
  | { kind: 'session'; sessionId: string }
  | ({ kind: 'apiKey'; keyId: string } & Acting)
  | PortalCredential
  | { kind: 'operator' }
  | ({ kind: 'job' } & Acting)

interface Acting {
  /** The id of the user for whom it acts; `null` for nobody. */
  actsFor: string | null
}

export interface PortalCredential {
  kind: 'portal'
  /** The customer of the tenant whose subscriptions it reaches; `null` for all of the tenant. */
  customer: string | null
  /** What made it, as the owner of its subscriptions. */
  owner: string
  /** The patterns of events that it may subscribe to; `null` for those of every user. */
  events: readonly string[] | null
}
