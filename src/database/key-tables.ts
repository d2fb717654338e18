/** Row types of keys, and of where keys are used. */

export interface SigningKeyTable {
  id: string
  algorithm: string
  public_key: string
  /** Encrypted. */
  private_key: Uint8Array
  created_at: string
  /** From when on it no longer signs; it verifies until the last token it signed has expired. */
  retired_at: string | null
}

/** A key of digests: it stays when the master key changes. */
export interface DigestKeyTable {
  purpose: string
  /** Encrypted. */
  key: Uint8Array
  created_at: string
}

/** An encrypted column of any feature that has run here. */
export interface EncryptedColumnTable {
  /** Table and column, joined by a dot. */
  name: string
  /** JSON object. */
  location: string
}
