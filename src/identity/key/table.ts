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
   * When it stops signing, and the next key begins; `null` for the newest key. It verifies until the last token that it
   * signed has expired.
   */
  retired_at: string | null
}
