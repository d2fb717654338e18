/** A sign-up that waits for approval, as the API describes it. */
export interface SignUp {
  id: string
  tenantName: string
  subdomain: string | null
  userName: string
  email: string
  firstName: string
  lastName: string
  createdAt: string
  expiresAt: string
}
