/** Asks what happens to unsaved changes when a form is left. */
import { text } from '../text/text.ts'
import { choose } from './confirm-dialog.tsx'

export type UnsavedAnswer = 'save' | 'leave'

/** @param maySave whether saving is offered @returns `null` if the user stays */
export function mayLeaveUnsaved(maySave: boolean): Promise<UnsavedAnswer | null> {
  if (maySave)
    return choose({
      title: text.form.unsaved,
      cancel: text.action.stay,
      choices: [
        { value: 'leave', label: text.action.discard },
        { value: 'save', label: text.action.save, kind: 'main' },
      ],
    })
  return choose({
    title: text.state.leave,
    cancel: text.action.stay,
    choices: [{ value: 'leave', label: text.action.leave, kind: 'danger' }],
  })
}
