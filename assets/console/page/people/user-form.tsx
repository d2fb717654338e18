/** What an administrator sets of a user. */
import { Form, TextField } from '../../component/form.tsx'
import { text } from '../../text/text.ts'
import { RoleChoices, useRoles } from './role-choices.tsx'

const texts = text.administration.users

export interface UserValues {
  userName: string
  email: string
  firstName: string
  lastName: string
  phoneNumber: string
  password: string
  roles: readonly string[]
}

export const emptyUser: UserValues = {
  ...{ userName: '', email: '', firstName: '', lastName: '', phoneNumber: '', password: '' },
  roles: ['User'],
}

/** The body of the request: no password keeps the present one. */
export function userInput({ userName, email, firstName, lastName, ...values }: UserValues) {
  const { phoneNumber, password, roles } = values
  return {
    ...{ userName, email, firstName, lastName, roles },
    phoneNumber: phoneNumber === '' ? null : phoneNumber,
    ...(password !== '' && { password }),
  }
}

interface UserFormProps {
  initial: UserValues
  isNew?: boolean
  isOtherTenant: boolean
  button: string
  submit: (values: UserValues) => Promise<void>
  onCancel?: () => void
}

export function UserForm({ isNew = false, isOtherTenant, ...form }: UserFormProps) {
  const roles = useRoles(isOtherTenant)
  return (
    <Form {...form}>
      {(state) => (
        <>
          <TextField form={state} name="firstName" label={texts.firstName} isRequired />
          <TextField form={state} name="lastName" label={texts.lastName} isRequired />
          <TextField form={state} name="userName" label={texts.userName} isRequired />
          <TextField form={state} name="email" label={texts.email} type="email" isRequired />
          <TextField form={state} name="phoneNumber" label={texts.phoneNumber} />
          <TextField
            form={state}
            name="password"
            type="password"
            label={isNew ? texts.password : texts.newPassword}
            hint={isNew ? texts.passwordHint : texts.passwordKept}
            isRequired={isNew}
            autocomplete="new-password"
          />
          <RoleChoices
            roles={roles}
            chosen={state.values.roles}
            onChange={(chosen) => state.set({ roles: chosen })}
          />
        </>
      )}
    </Form>
  )
}
