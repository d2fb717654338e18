/** The dialog that moves a tenant to another database without stopping its service. */
import { Dialog } from '../../component/dialog.tsx'
import { Field } from '../../component/field.tsx'
import { Form, type FormState, TextField } from '../../component/form.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { goTo, hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import type { Tenant } from '../operation/tenant-type.ts'

const texts = text.operator.move
const kinds = ['sqlite', 'postgres', 'shared'] as const

interface Values {
  kind: (typeof kinds)[number]
  file: string
  connectionString: string
  /** Whether the move replaces rows of the tenant that the other database already has. */
  replace: boolean
}

interface MoveDialogProps {
  tenant: Tenant
  /** The path of the tenant in the API. */
  path: string
  onClose: () => void
}

export function MoveDialog({ tenant, path, onClose }: MoveDialogProps) {
  const file = `${tenant.id.toLowerCase()}.db`
  const initial: Values = { kind: 'sqlite', file, connectionString: '', replace: false }
  const submit = async (values: Values) => {
    const body = { connectionString: targetOf(values), replace: values.replace }
    await requestRecent('POST', `${path}/move`, { body })
    goTo(hrefOf('/operations'))
  }
  return (
    <Dialog title={texts.title(tenant.name)} onClose={onClose}>
      <p>{texts.explained}</p>
      <Form initial={initial} button={texts.move} submit={submit} onCancel={onClose}>
        {(form) => <Target form={form} />}
      </Form>
    </Dialog>
  )
}

function Target({ form }: { form: FormState<Values> }) {
  const { kind, replace } = form.values
  // The service gets the file in a connection string, and reports the fault of that.
  const fileForm = { ...form, faultOf: () => form.faultOf('connectionString') }
  return (
    <>
      <Field label={texts.to}>
        {(control) => (
          <select
            {...control}
            value={kind}
            onChange={({ currentTarget }) =>
              form.set({ kind: kinds.find((each) => each === currentTarget.value) ?? 'shared' })
            }
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {texts.kinds[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {kind === 'sqlite' && (
        <TextField form={fileForm} name="file" label={texts.file} hint={texts.fileHint} isRequired />
      )}
      {kind === 'postgres' && (
        <TextField
          form={form}
          name="connectionString"
          label={texts.connectionString}
          hint={texts.connectionHint}
          type="password"
          isRequired
        />
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={replace}
          onChange={({ currentTarget }) => form.set({ replace: currentTarget.checked })}
        />
        {texts.replace}
      </label>
    </>
  )
}

function targetOf({ kind, file, connectionString }: Values): string | null {
  if (kind === 'shared') return null
  return kind === 'sqlite' ? `sqlite:${file}` : connectionString
}
