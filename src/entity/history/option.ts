/** What an entity keeps of its rows: superseded versions, and deleted rows. */
export interface HistoryOptions<T extends TrashOptions | undefined = TrashOptions | undefined> {
  /** Whether changes keep the row as it was. Creating and reading rows costs nothing more. */
  history?: boolean
  /** Keeps deleted rows for some days, and lists and restores them. It includes `history`. */
  trash?: T
}

export interface TrashOptions {
  readonly days: number
}

/** The checked options of an entity that keeps superseded versions. */
export interface Keeping {
  /** How long deleted rows can be restored; `null`: as long as their history is kept. */
  trashDays: number | null
}

const maxTrashDays = 3650

/** @returns `null` for an entity that keeps nothing @throws Error for a trash that makes no sense */
export function keepingOf(name: string, { history, trash }: HistoryOptions): Keeping | null {
  if (trash === undefined) return history === true ? { trashDays: null } : null
  const { days } = trash
  if (!Number.isInteger(days) || days < 1 || days > maxTrashDays)
    throw new Error(`${name}.trash: days is a whole number from 1 to ${maxTrashDays}.`)
  if (history === false) throw new Error(`${name}.trash: deleted rows are kept in the history, which is off.`)
  return { trashDays: days }
}
