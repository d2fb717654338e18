declare module '../../database/catalogue-tables.ts' {
  interface CatalogueTables {
    signing_key: SigningKeyTable
  }
}

export interface SigningKeyTable {
  id: string
  algorithm: string
  public_key: string
  /** Encrypted. */
  private_key: Uint8Array
  created_at: string
  /**
   * When the key stops signing and the next one begins; `null` for the newest key. The key verifies
   * until its last token has expired.
   */
  retired_at: string | null
}
