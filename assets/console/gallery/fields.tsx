/** The sections of the gallery with fields of forms and pickers of rows. */
import { useState } from 'preact/hooks'
import { Choices } from '../component/choices.tsx'
import { Field } from '../component/field.tsx'
import { OptionList } from '../component/option-list.tsx'
import { PasswordField } from '../component/password-field.tsx'
import { Picker } from '../component/picker.tsx'
import { SaveBar } from '../component/save-bar.tsx'
import { SearchField } from '../component/search-field.tsx'
import type { Values } from '../describe.ts'
import { FieldInputs } from '../entity/fields.tsx'
import { fields, long, nothing, rightToLeft, rows } from './sample.ts'
import { InEachState, Section, Specimen } from './specimen.tsx'

const words = {
  title: 'Fields',
  pickers: 'Pickers and searches',
  name: 'Name',
  hint: 'As customers read it, such as `Acme`',
  fault: 'must not be empty',
  password: 'Password',
  search: 'Search',
  customer: 'Customer',
  permissions: 'Permissions',
  save: 'Save',
}
const names = ['ticket:read', 'ticket:write', 'user:read']
const noFaults: ReadonlyMap<string, string> = new Map()
const faults = new Map([
  ['/subject', 'must not be empty'],
  ['/budget', 'must be >= 0'],
])
const options = ['Nordic Timber', 'Birch & Oak', long, rightToLeft].map(
  (label, index) => [`${index}`, label] as const,
)
const source = {
  label: words.customer,
  find: async (typed: string) => options.filter(([, label]) => label.includes(typed)),
  nameOf: async (id: string) => options.find(([each]) => each === id)?.[1] ?? null,
}

export function Fields() {
  return (
    <Section title={words.title}>
      <div class="gallery">
        <InEachState show={() => <TextField value="Acme" />} />
        <Specimen name="empty">
          <TextField value="" />
        </Specimen>
        <Specimen name="disabled">
          <fieldset class="bare" disabled>
            <TextField value="Acme" />
          </fieldset>
        </Specimen>
        <Specimen name="error">
          <TextField value="" fault={words.fault} />
        </Specimen>
        <Specimen name="changed">
          <TextField value="Acme" was="Nordic" />
        </Specimen>
        <Specimen name="long text">
          <TextField value={long} was={long} label={long} />
        </Specimen>
        <Specimen name="right to left" direction="rtl">
          <TextField value={rightToLeft} label={rightToLeft} was={rightToLeft} />
        </Specimen>
        <Specimen name="password">
          <Password />
        </Specimen>
      </div>
      <div class="gallery wide">
        <Specimen name="each kind, filled">
          <AllKinds values={rows[0] ?? {}} />
        </Specimen>
        <Specimen name="each kind, empty and faulty">
          <AllKinds values={{}} isFaulty />
        </Specimen>
        <Specimen name="each kind, disabled">
          <fieldset class="bare" disabled>
            <AllKinds values={rows[0] ?? {}} />
          </fieldset>
        </Specimen>
        <Specimen name="each kind, right to left" direction="rtl">
          <AllKinds values={rows[2] ?? {}} />
        </Specimen>
      </div>
      <Specimen name="save bar">
        <SaveBar
          changed={[words.name, long]}
          button={words.save}
          isBusy={false}
          onDiscard={nothing}
          save={nothing}
        />
      </Specimen>
      <Specimen name="save bar, loading">
        <SaveBar changed={[words.name]} button={words.save} isBusy onDiscard={nothing} save={nothing} />
      </Specimen>
    </Section>
  )
}

export function Pickers() {
  const [chosen, setChosen] = useState<readonly string[]>(['user:read'])
  return (
    <Section title={words.pickers}>
      <div class="gallery">
        <InEachState show={() => <SearchField label={words.search} words="" onSearch={nothing} />} />
        <Specimen name="picker">
          <CustomerPicker initial="0" />
        </Specimen>
        <Specimen name="picker, empty">
          <CustomerPicker initial={null} />
        </Specimen>
        <Specimen name="picker, long text">
          <CustomerPicker initial="2" />
        </Specimen>
        <Specimen name="picker, right to left" direction="rtl">
          <CustomerPicker initial="3" />
        </Specimen>
        <Specimen name="list of options">
          <OptionList label={words.customer} source={options} onPick={nothing} />
        </Specimen>
        <Specimen name="boxes">
          <Choices
            label={words.permissions}
            names={names}
            chosen={chosen}
            hintOf={(name) => (name.endsWith(':read') ? words.hint : undefined)}
            refusal={(name) => (name === 'ticket:write' ? words.fault : null)}
            onChange={setChosen}
          />
        </Specimen>
      </div>
    </Section>
  )
}

interface TextFieldProps {
  value: string
  label?: string
  fault?: string
  was?: string
}

function TextField({ value, label = words.name, fault, was }: TextFieldProps) {
  return (
    <Field
      label={label}
      hint={words.hint}
      fault={fault ?? null}
      isRequired
      change={was === undefined ? null : { was, undo: nothing }}
    >
      {(control) => <input {...control} type="text" value={value} />}
    </Field>
  )
}

function Password() {
  const [value, setValue] = useState('correct horse')
  return <PasswordField label={words.password} value={value} onInput={setValue} />
}

function AllKinds({ values: initial, isFaulty = false }: { values: Values; isFaulty?: boolean }) {
  const [values, setValues] = useState(initial)
  return (
    <div class="fields">
      <FieldInputs
        fields={fields}
        values={values}
        faults={isFaulty ? faults : noFaults}
        onChange={setValues}
      />
    </div>
  )
}

function CustomerPicker({ initial }: { initial: string | null }) {
  const [value, setValue] = useState(initial)
  return (
    <Field label={words.customer}>
      {(control) => <Picker source={source} control={control} value={value} onChange={setValue} />}
    </Field>
  )
}
