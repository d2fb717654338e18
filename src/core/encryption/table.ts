/** Row types of encryption. */

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    digest_key: DigestKeyTable
    encrypted_column: EncryptedColumnTable
  }
}

/** A key of digests. A change of the master key does not affect it. */
export interface DigestKeyTable {
  purpose: string
  /** The encrypted bytes of the key. */
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
