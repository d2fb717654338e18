/** The purposes of what single sign-on encrypts. */

/** Of the secret of a client. */
export const clientSecretPurpose = 'sso-client-secret'
/** Of the private key of a client. */
export const clientKeyPurpose = 'sso-client-key'
/** Of the ID token with which a session began. */
export const idTokenPurpose = 'sso-id-token'
