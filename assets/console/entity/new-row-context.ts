import { createContext } from 'preact'
import type { EntityDescription, Row } from '../describe.ts'

/** Makes a row that another one is to name. @returns `null` if it was not made */
export type AskForRow = (entity: EntityDescription, typed: string) => Promise<Row | null>

/** Where pickers of rows offer to make one: in the form of a row, and not in that of the new one. */
export const NewRowContext = createContext<AskForRow | null>(null)
