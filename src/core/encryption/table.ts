/** Row types of encryption. */

declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    digest_key: DigestKeyTable
    encrypted_column: EncryptedColumnTable
  }
}

/** A key of keyed digests. It stays the same when the master key changes, and only its encryption is replaced. */
export interface DigestKeyTable {
  purpose: string
  /** The encrypted bytes of the key. */
  key: Uint8Array
  created_at: string
}

/** An encrypted column of a feature that has run on this database. */
export interface EncryptedColumnTable {
  /** Table and column, joined by a dot. */
  name: string
  /** An `EncryptedColumn` as JSON. */
  location: string
}
