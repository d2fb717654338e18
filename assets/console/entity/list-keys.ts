/** @returns the lines after the key; `null` for a key that does not change the list */
export function afterKey(
  { key, altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>,
  lines: readonly string[],
  index: number,
): { lines: string[]; focused: number } | null {
  if (ctrlKey || metaKey) return null
  if (key === 'Enter') return { lines: lines.toSpliced(index + 1, 0, ''), focused: index + 1 }
  if (key === 'Backspace' && lines[index] === '')
    return { lines: lines.toSpliced(index, 1), focused: Math.max(0, index - 1) }
  const to = key === 'ArrowUp' ? index - 1 : index + 1
  if (!altKey || (key !== 'ArrowUp' && key !== 'ArrowDown') || to < 0 || to >= lines.length) return null
  return { lines: lines.toSpliced(index, 1).toSpliced(to, 0, lines[index] ?? ''), focused: to }
}
