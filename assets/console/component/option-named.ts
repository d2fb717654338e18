/** The value of an option, its label, and its further names. */
type Named = readonly (string | undefined)[]

/**
 * @returns the option whose whole name was typed: its label, or one of its further names if it is the only such
 *   option
 */
export function optionNamed<O extends Named>(options: readonly O[], typed: string): O | null {
  const name = typed.trim().toLowerCase()
  const isSame = (words: string | undefined) => words?.toLowerCase() === name
  const others = options.filter(([, ...names]) => names.some(isSame))
  return options.find(([, label]) => isSame(label)) ?? (others.length === 1 ? (others[0] ?? null) : null)
}
