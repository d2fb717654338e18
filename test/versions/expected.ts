/** What must hold after today's version has taken over the databases of a former one. */

/** Where the subscriptions of every version have their receiver. Systems give it to nobody who asks for a free one. */
export const receiverPort = 19_207

export interface Expected {
  /** When the former version stopped. */
  moment: string
  /** The folder of the application that was served, in the project. */
  application: string | null
  masterKey: string
  baseUrl: string
  people: Person[]
  apiKeys: { tenantId: string; key: string; path: string }[]
  reads: Read[]
  replays: Replay[]
  /** Rows with numbers in a sequence, and what the next one is made of. */
  numbered: { tenantId: string; userName: string; path: string; lastNumber: number; body: object }[]
  subscriptions: PendingSubscription[]
  files: { tenantId: string; userName: string; id: string; content: string }[]
  /** The tenant with a database of its own. */
  ownTenantId: string
  inactiveTenantId: string
}

export interface Person {
  tenantId: string
  userName: string
  password: string
  /** Neither has been used. */
  accessToken: string
  refreshToken: string
  /** Of an authenticator app, in base 32. */
  totpSecret?: string
  recoveryCodes?: string[]
  passkey?: { id: string; rpId: string; userHandle: string; privateKey: string }
}

export interface Read {
  tenantId: string
  userName: string
  path: string
  etag: string | null
  body: unknown
}

/** A request with an idempotency key, and its answer. */
export interface Replay {
  tenantId: string
  userName: string
  path: string
  key: string
  request: string
  status: number
  answer: string
}

/** With a delivery that was tried once, and is tried again in an hour. */
export interface PendingSubscription {
  tenantId: string
  userName: string
  id: string
  secret: string
  headers: Record<string, string>
  deliveryId: string
  /** Those of the first try. */
  bytes: string
}
