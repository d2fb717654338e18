/** The input that maps groups of the identity provider to roles. */
import { Field } from '../../component/field.tsx'
import { text } from '../../text/text.ts'
import { type KnownRoles, RoleChoices } from '../people/role-choices.tsx'
import type { GroupRoles } from './provider.ts'

const texts = text.access.sso

interface GroupRolesProps {
  groups: readonly GroupRoles[]
  roles: KnownRoles
  fault: string | null
  onChange: (groups: GroupRoles[]) => void
}

export function GroupRolesInput({ groups, roles, fault, onChange }: GroupRolesProps) {
  const change = (index: number, members: Partial<GroupRoles>) =>
    onChange(groups.map((each, at) => (at === index ? { ...each, ...members } : each)))
  return (
    <fieldset class="stack card">
      <legend class="label">{texts.groups}</legend>
      <p class="soft">{texts.groupsHint}</p>
      {groups.map((each, index) => (
        <div key={index} class="stack card">
          <Field label={texts.group} isRequired>
            {(control) => (
              <input
                {...control}
                required
                autocomplete="off"
                value={each.group}
                onInput={({ currentTarget }) => change(index, { group: currentTarget.value })}
              />
            )}
          </Field>
          <RoleChoices
            roles={roles}
            label={texts.rolesOf(each.group)}
            chosen={each.roles}
            onChange={(chosen) => change(index, { roles: chosen })}
          />
          <div class="row">
            <button type="button" onClick={() => onChange(groups.filter((_, at) => at !== index))}>
              {texts.removeGroup}
            </button>
          </div>
        </div>
      ))}
      {fault !== null && (
        <div class="field">
          <span class="fault">{fault}</span>
        </div>
      )}
      <div class="row">
        <button type="button" onClick={() => onChange([...groups, { group: '', roles: [] }])}>
          {texts.addGroup}
        </button>
      </div>
    </fieldset>
  )
}
