/** What the load generator is told, and what it tells. */
export interface Job {
  /** Of instances that share the connections. */
  ports: readonly number[]
  connections: number
  ms: number
  /** Of all connections together; `null` as fast as they are answered. */
  perSecond: number | null
  /** Sent in turn. */
  requests: LoadRequest[]
  expectedStatus: number
  /** Without it the body may be anything. */
  expectedText?: ExpectedText | null
}

/** A text that the body has as often as it has rows. */
export interface ExpectedText {
  text: string
  times: number
}

export interface LoadRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Outcome {
  answers: number
  /** Answers with another status or text than the expected one, or with GraphQL errors. */
  faults: number
  seconds: number
}
