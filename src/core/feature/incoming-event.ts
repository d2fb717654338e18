/** An event that a provider has sent. */
export interface IncomingEvent<P = unknown> {
  receiptId: string
  /** In lower case. */
  provider: string
  /** The provider's id of the event, if it has one. */
  id: string | null
  type: string | null
  /** The parsed body, with the members that the action's schema names; `null` for a body that is not JSON. */
  payload: P
  /** ISO 8601 */
  receivedAt: string
}
