/** The dialog that creates an API key. */
import { useApp } from '../../app-context.ts'
import { Choices } from '../../component/choices.tsx'
import { MomentInput } from '../../component/day-input.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Field } from '../../component/field.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { ReferencePicker } from '../../entity/reference-picker.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { givenAttributes } from './attribute-input.ts'
import { AttributeFields, useGivenAttributes } from './attributes.tsx'
import { permissionsOf } from './permissions.ts'
import type { Attributes, Permission } from './types.ts'

const texts = text.administration.apiKeys
const { common } = text.administration

export interface ApiKey {
  id: string
  name: string
  prefix: string
  permissions: readonly string[]
  actsFor: string | null
  attributes: Attributes
  expiresAt: string | null
  allowedNetworks: readonly string[] | null
  lastUsedAt: string | null
}

export interface CreatedKey extends ApiKey {
  key: string
}

interface Values {
  name: string
  expiresAt: string
  allowedNetworks: string
  permissions: readonly string[]
  actsFor: string | null
  attributes: Attributes
}

const empty: Values = {
  name: '',
  expiresAt: '',
  allowedNetworks: '',
  permissions: [],
  actsFor: null,
  attributes: {},
}

interface NewApiKeyProps {
  onClose: () => void
  onCreated: (key: CreatedKey) => void
}

export function NewApiKey({ onClose, onCreated }: NewApiKeyProps) {
  const { user, can } = useApp()
  const attributes = useGivenAttributes()
  const { data: known } = useLoaded<readonly Permission[]>('permissions', (signal) =>
    can('role:read') ? permissionsOf(signal) : Promise.resolve([]),
  )
  const submit = async (values: Values) =>
    onCreated((await requestRecent<CreatedKey>('POST', '/api/api-keys', { body: inputOf(values) })).body)
  return (
    <Dialog title={text.action.newRow(texts.one)} onClose={onClose}>
      <Form
        initial={empty}
        button={text.action.create}
        submit={submit}
        onCancel={onClose}
        isDisabled={({ permissions }) => permissions.length === 0}
      >
        {(form) => (
          <>
            <TextField form={form} name="name" label={common.name} hint={texts.nameHint} isRequired />
            <Field
              label={common.expiresAt}
              hint={texts.expiryHint}
              fault={form.faultOf('expiresAt')}
              isOptional
            >
              {(control) => (
                <MomentInput
                  control={control}
                  value={form.values.expiresAt}
                  onChange={(expiresAt) => form.set({ expiresAt })}
                />
              )}
            </Field>
            <TextField form={form} name="allowedNetworks" label={texts.networks} hint={texts.networksHint} />
            <Choices
              label={common.permissions}
              names={user.permissions}
              chosen={form.values.permissions}
              hintOf={(name) => known?.find((permission) => permission.name === name)?.description}
              onChange={(permissions) => form.set({ permissions })}
            />
            <Field label={texts.actsFor} hint={texts.actsForHint} fault={form.faultOf('actsFor')} isOptional>
              {(control) => (
                <ReferencePicker
                  field={{ entity: 'user' }}
                  control={control}
                  value={form.values.actsFor}
                  onChange={(actsFor) => form.set({ actsFor })}
                />
              )}
            </Field>
            <AttributeFields
              attributes={form.values.actsFor === null ? attributes : []}
              values={form.values.attributes}
              faultOf={form.faultOf}
              onChange={(given) => form.set({ attributes: given })}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}

function inputOf({ name, expiresAt, allowedNetworks, permissions, actsFor, attributes }: Values) {
  const networks = allowedNetworks.split(/[\s,]+/).filter((each) => each !== '')
  return {
    name,
    permissions,
    ...(expiresAt !== '' && { expiresAt }),
    ...(networks.length > 0 && { allowedNetworks: networks }),
    ...(actsFor === null ? givenAttributes(attributes) : { actsFor }),
  }
}
