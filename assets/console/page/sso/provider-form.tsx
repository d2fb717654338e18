/** The fields for the identity provider of a tenant. */
import { Field } from '../../component/field.tsx'
import { FormLayout, type FormState, TextField } from '../../component/form.tsx'
import type { TypedForm } from '../../component/form-state.ts'
import { text } from '../../text/text.ts'
import { RoleChoices, useRoles } from '../people/role-choices.tsx'
import { BreakGlassField } from './break-glass-field.tsx'
import { GroupRolesInput } from './group-roles.tsx'
import type { ProviderValues } from './provider.ts'

const texts = text.access.sso

interface ProviderFormProps {
  form: TypedForm<ProviderValues>
  isNew: boolean
}

export function ProviderForm({ form: typed, isNew }: ProviderFormProps) {
  const roles = useRoles()
  return (
    <FormLayout form={typed} button={text.action.save}>
      {(form) => (
        <>
          <ClientFields form={form} isNew={isNew} />
          <Tick form={form} name="isEnabled" label={texts.isEnabled} />
          <Tick form={form} name="createsUsers" label={texts.createsUsers} />
          <RoleChoices
            roles={roles}
            label={texts.defaultRoles}
            chosen={form.values.defaultRoles}
            onChange={(defaultRoles) => form.set({ defaultRoles })}
          />
          <TextField
            form={form}
            name="groupsClaim"
            label={texts.groupsClaim}
            hint={texts.groupsClaimHint}
            isRequired
          />
          <GroupRolesInput
            groups={form.values.groups}
            roles={roles}
            fault={form.faultOf('groupRoles')}
            onChange={(groups) => form.set({ groups })}
          />
          <TextField
            form={form}
            name="sessionHours"
            label={texts.sessionHours}
            hint={texts.sessionHoursHint}
            type="number"
            isRequired
          />
          <Tick form={form} name="isRequired" label={texts.isRequired} />
          <BreakGlassField
            value={form.values.breakGlassUserId}
            fault={form.faultOf('breakGlassUserId')}
            onChange={(breakGlassUserId) => form.set({ breakGlassUserId })}
          />
        </>
      )}
    </FormLayout>
  )
}

function ClientFields({ form, isNew }: { form: FormState<ProviderValues>; isNew: boolean }) {
  const way = form.values.clientAuthentication
  return (
    <>
      <TextField form={form} name="issuer" label={texts.issuer} hint={texts.issuerHint} isRequired />
      <TextField form={form} name="clientId" label={texts.clientId} isRequired />
      <Choice form={form} name="clientAuthentication" values={['automatic', ...ways]} />
      {way === 'private_key_jwt' && (
        <Choice form={form} name="assertionAudience" values={['issuer', 'token_endpoint']} />
      )}
      {way !== 'private_key_jwt' && way !== 'none' && (
        <TextField
          form={form}
          name="clientSecret"
          label={texts.clientSecret}
          hint={isNew ? texts.secretHint : texts.secretKept}
          type="password"
          autocomplete="new-password"
          isRequired={isNew}
        />
      )}
      <TextField form={form} name="scopes" label={texts.scopes} hint={texts.scopesHint} />
      <Choice form={form} name="prompt" values={['', ...prompts]} />
      <TextField form={form} name="domainHint" label={texts.domainHintLabel} hint={texts.domainHintHint} />
    </>
  )
}

const ways = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']
const prompts = ['login', 'select_account', 'consent']

interface ChoiceProps {
  form: FormState<ProviderValues>
  name: 'clientAuthentication' | 'assertionAudience' | 'prompt'
  values: readonly string[]
}

/** A choice between words of OpenID Connect, which are not translated because providers use the same words. */
function Choice({ form, name, values }: ChoiceProps) {
  return (
    <Field label={texts[name]} fault={form.faultOf(name)}>
      {(control) => (
        <select
          {...control}
          value={form.values[name]}
          onChange={({ currentTarget }) => form.set({ [name]: currentTarget.value })}
        >
          {values.map((value) => (
            <option key={value} value={value}>
              {value === '' ? texts.providerChooses : value}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface TickProps {
  form: FormState<ProviderValues>
  name: 'isEnabled' | 'isRequired' | 'createsUsers'
  label: string
}

function Tick({ form, name, label }: TickProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={form.values[name]}
        onChange={({ currentTarget }) => form.set({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  )
}
