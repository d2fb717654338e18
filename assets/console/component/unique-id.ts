import { useState } from 'preact/hooks'

let last = 0

/**
 * @returns an id that is unique on the page. Ids of preact repeat in each tree, and some dialogs are trees of their
 *   own.
 */
export function useUniqueId(): string {
  const [id] = useState(() => `id-${++last}`)
  return id
}
