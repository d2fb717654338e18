/** The purposes of what single sign-on encrypts. */

export const clientSecretPurpose = 'sso-client-secret'
export const clientKeyPurpose = 'sso-client-key'
/** The purpose of the ID token with which a session began. */
export const idTokenPurpose = 'sso-id-token'
