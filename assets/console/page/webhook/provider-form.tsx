/** The form that creates or changes a provider of incoming webhooks. */
import { request } from '../../api.ts'
import { loadSchemas } from '../../api-schemas.ts'
import { Field } from '../../component/field.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { Loading } from '../../component/loading.tsx'
import { changedMembers } from '../../component/merge.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { Secret } from '../../component/secret.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { Provider } from './types.ts'

const { provider: words } = text.webhook
const usualTolerance = 300
const usualOverlap = 24

interface FormProps {
  /** `null` to create a provider. */
  stored: Provider | null
  addressOf: (provider: string) => string
  onClose: () => void
}

export function ProviderForm(props: FormProps) {
  const { data, error, reload } = useLoaded('schemes', loadSchemes)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  return data === null ? <Loading /> : <FormWithSchemes {...props} schemes={data} />
}

/** @returns the signature schemes. The first is the default for a new provider. */
async function loadSchemes(): Promise<readonly string[]> {
  const { WebhookProvider } = await loadSchemas()
  return (WebhookProvider?.properties?.['scheme']?.enum ?? []).map(String)
}

function typedOf(stored: Provider | null, schemes: readonly string[]) {
  return {
    name: stored?.provider ?? '',
    secret: '',
    scheme: stored?.scheme ?? schemes[0] ?? '',
    toleranceSeconds: `${stored?.toleranceSeconds ?? usualTolerance}`,
    overlapHours: `${usualOverlap}`,
  }
}

function inputOf({ secret, scheme, toleranceSeconds, overlapHours }: ReturnType<typeof typedOf>) {
  return {
    scheme,
    toleranceSeconds: Number(toleranceSeconds),
    ...(secret !== '' && { secret, overlapHours: Number(overlapHours) }),
  }
}

function FormWithSchemes({
  stored,
  addressOf,
  onClose,
  schemes,
}: FormProps & { schemes: readonly string[] }) {
  const initial = typedOf(stored, schemes)
  const save = async (values: typeof initial) => {
    const all = inputOf(values)
    const body = stored === null ? all : changedMembers(inputOf(initial), all)
    await request('PUT', `/api/webhooks/providers/${encodeURIComponent(values.name.trim())}`, { body })
    onClose()
  }
  return (
    <Form
      initial={initial}
      button={text.action.save}
      submit={save}
      onCancel={onClose}
      isDisabled={({ name }) => name.trim() === ''}
    >
      {(form) => (
        <>
          {stored === null && (
            <TextField form={form} name="name" label={words.name} hint={words.nameHint} isRequired />
          )}
          {form.values.name.trim() !== '' && (
            <Address value={addressOf(form.values.name.trim().toLowerCase())} />
          )}
          <TextField
            form={form}
            name="secret"
            label={words.secret}
            hint={stored === null ? words.secretHint : words.newSecretHint}
            type="password"
            autocomplete="new-password"
            isRequired={stored === null}
          />
          {stored !== null && (
            <TextField
              form={form}
              name="overlapHours"
              label={text.webhook.overlap}
              hint={words.overlapHint}
              type="number"
              isRequired
            />
          )}
          <Field label={words.scheme} hint={words.schemeHint} fault={form.faultOf('scheme')}>
            {(control) => (
              <select
                {...control}
                value={form.values.scheme}
                onChange={({ currentTarget }) => form.set({ scheme: currentTarget.value })}
              >
                {schemes.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            form={form}
            name="toleranceSeconds"
            label={words.tolerance}
            hint={words.toleranceHint}
            type="number"
            isRequired
          />
        </>
      )}
    </Form>
  )
}

function Address({ value }: { value: string }) {
  return (
    <div class="field">
      <span class="label">{words.address}</span>
      <Secret value={value} />
    </div>
  )
}
