/**
 * The credential of an actor: a token of a session, an API key, a session of the embedded portal, access to the command
 * line, or a job of the application.
 */
export type Credential =
  | { kind: 'session'; sessionId: string }
  | ({ kind: 'apiKey'; keyId: string } & Acting)
  | PortalCredential
  | { kind: 'operator' }
  | ({ kind: 'job' } & Acting)

interface Acting {
  /** The id of the user for whom the credential acts; `null` for nobody. */
  actsFor: string | null
}

export interface PortalCredential {
  kind: 'portal'
  /** The customer whose subscriptions the session may see and change; `null` for all subscriptions of the tenant. */
  customer: string | null
  /** The user or API key that made the session: it owns the subscriptions that the session makes. */
  owner: string
  /** The patterns of events that the session may subscribe to; `null` for the events of every user. */
  events: readonly string[] | null
}
