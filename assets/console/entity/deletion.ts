/**
 * Deletes a row. With a trash this is done at once, and can be undone; without one, a question names the
 * consequences.
 */
import { request } from '../api.ts'
import { useApp } from '../app-context.ts'
import { confirmed } from '../component/confirm-dialog.tsx'
import { toast, toastError } from '../component/toast.tsx'
import { type EntityDescription, isRestorable, type Row, titleOf } from '../describe.ts'
import { goTo, hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { referringText } from './relations.ts'
import { deleteRow } from './rows.ts'

/** A longer title need not be typed to confirm the deletion. */
const maxTyped = 40

/** @returns a function that deletes the row and opens the list */
export function useDeletion(entity: EntityDescription, row: Row): () => Promise<void> {
  const { entities } = useApp()
  const list = hrefOf(`/entities/${entity.name}`)
  const title = titleOf(entity, row)
  const isKept = isRestorable(entity)
  return async () => {
    try {
      if (!isKept) {
        const referring = await referringText(entities, entity, row.id)
        const isTyped = title !== row.id && title.length <= maxTyped
        const question = {
          title: text.form.confirmDelete(title),
          ...(referring !== '' && { detail: text.record.referring(referring) }),
          verb: text.action.delete,
          kind: 'danger' as const,
          ...(isTyped && { typed: title }),
        }
        if (!(await confirmed(question))) return
      }
      await deleteRow(entity, row.id)
      goTo(list)
      if (isKept)
        toast(text.record.deleted(title, entity.trashDays ?? 0), {
          undo: async () => {
            await restoreRow(entity, row.id)
            goTo(`${list}/${row.id}`)
          },
        })
      else toast(text.record.deletedForGood(title))
    } catch (error) {
      toastError(error)
    }
  }
}

/** Restores a row from the trash, for an entity that `isRestorable`: its rows can be created. @throws ApiError */
export async function restoreRow({ operations }: EntityDescription, id: string): Promise<void> {
  await request('POST', `${operations.create?.path}/${id}/restore`, { body: {} })
}
