/** Its value, its label, and what else it is called. */
type Named = readonly (string | undefined)[]

/** @returns the option that is called so as a whole: by its label, or else the only one by another of its names */
export function optionNamed<O extends Named>(options: readonly O[], typed: string): O | null {
  const name = typed.trim().toLowerCase()
  const isSame = (words: string | undefined) => words?.toLowerCase() === name
  const others = options.filter(([, ...names]) => names.some(isSame))
  return options.find(([, label]) => isSame(label)) ?? (others.length === 1 ? (others[0] ?? null) : null)
}
