import { createContext } from 'preact'
import type { EntityDescription, Row } from '../describe.ts'

/** Opens a dialog that creates a row, to refer to it from another one. @returns `null` if it was not created */
export type AskForRow = (entity: EntityDescription, typed: string) => Promise<Row | null>

/**
 * Present where pickers of rows offer to create a row: in the form of a row, but not inside the dialog for the new
 * one.
 */
export const NewRowContext = createContext<AskForRow | null>(null)
