/**
 * What is typed and not saved, for as long as the tab is open: it outlives a reload, a session that ends, and a service
 * that cannot be reached.
 */
const prefix = 'tenantry.draft.'

export interface Draft<T, V> {
  /** When it was typed. */
  at: string
  values: V
  /** What was stored when the typing began. */
  stored: T
}

/** With which the keys of a user begin. */
export function draftsOf({ tenantId, id }: { tenantId: string; id: string }): string {
  return `${tenantId}/${id}/`
}

/** @param key of the user and of what is changed */
export function keepDraft<T, V>(key: string, values: V, stored: T): void {
  const draft: Draft<T, V> = { at: new Date().toISOString(), values, stored }
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(draft))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error // the storage is full: the draft of before stays
  }
}

export function draftOf<T, V>(key: string): Draft<T, V> | null {
  const kept = sessionStorage.getItem(prefix + key)
  return kept === null ? null : (JSON.parse(kept) as Draft<T, V>) // as it was kept
}

export function forgetDraft(key: string): void {
  sessionStorage.removeItem(prefix + key)
}

/** @param owner with which the keys begin */
export function forgetDrafts(owner: string): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix + owner)) sessionStorage.removeItem(key)
}
