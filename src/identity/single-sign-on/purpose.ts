/** The purposes of what single sign-on encrypts. */

/** The purpose of a client's secret. */
export const clientSecretPurpose = 'sso-client-secret'
/** The purpose of a client's private key. */
export const clientKeyPurpose = 'sso-client-key'
/** The purpose of the ID token with which a session began. */
export const idTokenPurpose = 'sso-id-token'
