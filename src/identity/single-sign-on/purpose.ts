/** The purposes of the values that single sign-on encrypts: each purpose has a key of its own. */

export const clientSecretPurpose = 'sso-client-secret'
export const clientKeyPurpose = 'sso-client-key'
/** The purpose of the ID token with which a session began. */
export const idTokenPurpose = 'sso-id-token'
