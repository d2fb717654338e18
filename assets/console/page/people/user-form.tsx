/** The form with which an administrator creates or changes a user. */
import { Form, TextField } from '../../component/form.tsx'
import { text } from '../../text/text.ts'
import { attributeInput } from './attribute-input.ts'
import { AttributeFields, useAttributes } from './attributes.tsx'
import { RoleChoices, useRoles } from './role-choices.tsx'
import type { Attributes } from './types.ts'

const texts = text.administration.users

export interface UserValues {
  userName: string
  email: string
  firstName: string
  lastName: string
  phoneNumber: string
  password: string
  roles: readonly string[]
  attributes: Attributes
}

export const emptyUser: UserValues = {
  userName: '',
  email: '',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  password: '',
  roles: ['User'],
  attributes: {},
}

/** @returns the body of the request; without a password the present one is kept */
export function userInput({ userName, email, firstName, lastName, ...values }: UserValues) {
  const { phoneNumber, password, roles, attributes } = values
  return {
    userName,
    email,
    firstName,
    lastName,
    roles,
    phoneNumber: phoneNumber === '' ? null : phoneNumber,
    ...(password !== '' && { password }),
    attributes: attributeInput(attributes),
  }
}

interface UserFormProps {
  initial: UserValues
  isNew?: boolean
  isOtherTenant: boolean
  /** Whether it is the signed-in user, who may not change their own attributes. */
  isSelf?: boolean
  button: string
  submit: (values: UserValues) => Promise<void>
  onCancel?: () => void
}

export function UserForm({ isNew = false, isOtherTenant, isSelf = false, ...form }: UserFormProps) {
  const attributes = useAttributes()
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
          {!isSelf && (
            <AttributeFields
              attributes={attributes}
              values={state.values.attributes}
              faultOf={state.faultOf}
              onChange={(given) => state.set({ attributes: given })}
            />
          )}
        </>
      )}
    </Form>
  )
}
