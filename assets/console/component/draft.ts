/**
 * Drafts: values that were typed into a form and not saved. The tab keeps them, so that they survive a reload, the
 * end of the session, and an outage of the service.
 */
const prefix = 'tenantry.draft.'

export interface Draft<T, V> {
  /** When it was typed. */
  at: string
  values: V
  /** The stored value when the typing began. */
  stored: T
}

/** @returns the beginning of the keys of a user's drafts */
export function draftsOf({ tenantId, id }: { tenantId: string; id: string }): string {
  return `${tenantId}/${id}/`
}

/** @param key names the user and the form */
export function keepDraft<T, V>(key: string, values: V, stored: T): void {
  const draft: Draft<T, V> = { at: new Date().toISOString(), values, stored }
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(draft))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error // the storage is full: the previous draft stays
  }
}

export function draftOf<T, V>(key: string): Draft<T, V> | null {
  const kept = sessionStorage.getItem(prefix + key)
  return kept === null ? null : (JSON.parse(kept) as Draft<T, V>) // as it was kept
}

export function forgetDraft(key: string): void {
  sessionStorage.removeItem(prefix + key)
}

/** @param owner the beginning of the keys, see `draftsOf` */
export function forgetDrafts(owner: string): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix + owner)) sessionStorage.removeItem(key)
}
