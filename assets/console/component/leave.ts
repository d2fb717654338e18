import { text } from '../text/text.ts'
import { confirmed } from './confirm-dialog.tsx'

/** @returns whether what was typed may be lost */
export function mayLeaveUnsaved(): Promise<boolean> {
  return confirmed({ title: text.state.leave, verb: text.action.leave, kind: 'danger' })
}
