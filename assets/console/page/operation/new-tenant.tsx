/** The page that creates a tenant and, if wanted, its first administrator. */
import { Form, type FormState, TextField } from '../../component/form.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { goTo, hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { orNull, type Tenant } from './tenant-type.ts'

const texts = text.administration.tenants
const { common, users } = text.administration

interface Values {
  id: string
  name: string
  subdomain: string
  plan: string
  connectionString: string
  hasAdmin: boolean
  firstName: string
  lastName: string
  userName: string
  email: string
  password: string
}

const empty: Values = {
  id: '',
  name: '',
  subdomain: '',
  plan: '',
  connectionString: '',
  hasAdmin: true,
  firstName: '',
  lastName: '',
  userName: '',
  email: '',
  password: '',
}

export function NewTenant() {
  const submit = async (values: Values) => {
    const { body } = await requestRecent<Tenant>('POST', '/api/tenants', { body: inputOf(values) })
    goTo(hrefOf(`/tenants/${encodeURIComponent(body.id)}`))
  }
  return (
    <div class="stack">
      <h1>{text.action.newRow(texts.one)}</h1>
      <Form
        initial={empty}
        button={text.action.create}
        submit={submit}
        onCancel={() => goTo(hrefOf('/tenants'))}
      >
        {(form) => (
          <>
            <TextField form={form} name="id" label={common.id} hint={texts.idHint} isRequired />
            <TextField form={form} name="name" label={common.name} isRequired />
            <TextField form={form} name="subdomain" label={texts.subdomain} />
            <TextField form={form} name="plan" label={texts.plan} />
            <TextField
              form={form}
              name="connectionString"
              label={texts.connectionString}
              hint={texts.connectionHint}
            />
            <label class="choice">
              <input
                type="checkbox"
                checked={form.values.hasAdmin}
                onChange={(event) => form.set({ hasAdmin: event.currentTarget.checked })}
              />
              {texts.withAdmin}
            </label>
            {form.values.hasAdmin && <AdminFields form={form} />}
          </>
        )}
      </Form>
    </div>
  )
}

function AdminFields({ form }: { form: FormState<Values> }) {
  const state = { ...form, faultOf: (member: string) => form.faultOf(`admin/${member}`) }
  return (
    <div class="card form">
      <TextField form={state} name="firstName" label={users.firstName} isRequired />
      <TextField form={state} name="lastName" label={users.lastName} isRequired />
      <TextField form={state} name="userName" label={users.userName} isRequired />
      <TextField form={state} name="email" label={users.email} type="email" isRequired />
      <TextField
        form={state}
        name="password"
        label={users.password}
        hint={users.passwordHint}
        type="password"
        autocomplete="new-password"
        isRequired
      />
    </div>
  )
}

function inputOf({ id, name, subdomain, plan, connectionString, hasAdmin, ...admin }: Values) {
  return {
    id,
    name,
    subdomain: orNull(subdomain),
    plan: orNull(plan),
    connectionString: orNull(connectionString),
    ...(hasAdmin && { admin }),
  }
}
