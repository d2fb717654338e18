/** The type of operations, such as backups and moves, in replies of the API. */
import type { text } from '../../text/text.ts'

type Texts = typeof text.operator.operations

/** An operation as the API lists it. */
export interface Operation {
  id: string
  kind: keyof Texts['kinds']
  tenantId: string | null
  status: keyof Texts['states']
  phase: string | null
  /** The progress of a move; `null` if it is not known. */
  progress: { copiedRows: number; totalRows: number } | null
  host: string | null
  result: {
    path?: string
    rows?: number | Readonly<Record<string, number>>
    notIncluded?: readonly { tenant: string | null; reason: string }[]
    database?: string
    left?: string | null
  } | null
  error: string | null
  requestedBy: string
  createdAt: string
  finishedAt: string | null
}

/** The phases of each kind, in their order. */
export const phases: Record<Operation['kind'], readonly string[]> = {
  backup: ['copying', 'checking'],
  export: ['copying', 'copied', 'written'],
  erase: ['recorded', 'fenced', 'counted', 'removed', 'rewritten', 'unfenced'],
  move: ['copying', 'verified', 'switching', 'switched', 'removing'],
  abandonMove: [],
}
