/** The round trips on PostgreSQL that each way of signing in usually takes. */

export type SignIn = 'password' | 'refresh' | 'firstFactor' | 'secondFactor' | 'apiKey'

/** Of a request, with those of its rate limits. More need a reason; fewer are the new figures. */
export const usualTrips: Record<SignIn, number> = {
  password: 15,
  refresh: 6,
  firstFactor: 17,
  secondFactor: 12,
  apiKey: 1,
}
