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

/** A column with what is sealed, of any feature that has run here. */
export interface SealedColumnTable {
  /** Of the table and the column. */
  name: string
  /** JSON object. */
  place: string
}
