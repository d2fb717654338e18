import { useState } from 'preact/hooks'

let last = 0

/** The ids of preact repeat in each tree, and the dialog of `step-up.tsx` is a tree of its own. */
export function useUniqueId(): string {
  const [id] = useState(() => `id-${++last}`)
  return id
}
