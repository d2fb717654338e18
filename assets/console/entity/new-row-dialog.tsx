/** The dialog that creates a row, to refer to it from a row whose form stays open. */
import { type App, AppContext } from '../app-context.ts'
import { asked } from '../component/confirm-dialog.tsx'
import { Dialog } from '../component/dialog.tsx'
import { SchemaForm } from '../component/schema-form.tsx'
import type { EntityDescription, Row } from '../describe.ts'
import { text } from '../text/text.ts'
import { defaultsOf } from './given-value.ts'
import { createRow } from './rows.ts'

/** @returns `null` if it was not created */
export function askForRow(app: App, entity: EntityDescription, typed: string): Promise<Row | null> {
  const fields = entity.fields.filter(({ isReadOnly }) => !isReadOnly)
  const isNamed = fields.some(({ name, kind }) => name === entity.title && kind === 'text')
  return asked((answer) => (
    <AppContext.Provider value={app}>
      <Dialog title={text.action.newRow(entity.label)} onClose={() => answer(null)}>
        <SchemaForm
          fields={fields}
          initial={{ ...defaultsOf(entity), ...(isNamed && { [entity.title]: typed }) }}
          button={text.action.create}
          submit={async (values) => answer((await createRow(entity, values)).row)}
          onCancel={() => answer(null)}
        />
      </Dialog>
    </AppContext.Provider>
  ))
}
