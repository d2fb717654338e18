/** The section of the gallery with buttons, menus and secrets. */
import { Pencil, Star, Trash2 } from 'lucide'
import { ActionButton } from '../component/action-button.tsx'
import { Icon } from '../component/icon.tsx'
import { Menu } from '../component/menu.tsx'
import { ShownOnce } from '../component/secret.tsx'
import { failure, long, rightToLeft } from './sample.ts'
import { InEachState, Pressed, Section, Specimen } from './specimen.tsx'

const words = {
  title: 'Buttons',
  save: 'Save',
  edit: 'Edit',
  remove: 'Delete',
  cancel: 'Cancel',
  more: 'More actions',
  archive: 'Archive',
  link: 'A link',
  secret: 'It is not shown again.',
}
const never = () => new Promise(() => undefined)
const fails = () => Promise.reject(failure)

export function Buttons() {
  return (
    <Section title={words.title}>
      <div class="gallery">
        <InEachState show={() => <AllKinds />} />
        <Specimen name="disabled">
          <AllKinds isDisabled />
        </Specimen>
        <Specimen name="loading">
          <Pressed>
            <ActionButton kind="main" act={never}>
              {words.save}
            </ActionButton>
          </Pressed>
        </Specimen>
        <Specimen name="error">
          <Pressed>
            <ActionButton act={fails}>{words.save}</ActionButton>
          </Pressed>
        </Specimen>
        <Specimen name="long text">
          <button type="button">{long}</button>
        </Specimen>
        <Specimen name="right to left" direction="rtl">
          <button type="button" class="main">
            <Icon node={Pencil} />
            {rightToLeft}
          </button>
        </Specimen>
        <Specimen name="question, with danger">
          <ActionButton kind="danger" question={words.remove} act={async () => undefined}>
            {words.archive}
          </ActionButton>
        </Specimen>
        <Specimen name="menu">
          <Pressed>
            <Menu label={words.more}>
              <button type="button">{words.edit}</button>
              <button type="button" disabled>
                {words.archive}
              </button>
              <button type="button" class="danger">
                {words.remove}
              </button>
            </Menu>
          </Pressed>
        </Specimen>
        <Specimen name="secret">
          <ShownOnce hint={words.secret} value="whsec_C2FVsBQIhrscChlQIMV-b5sSYspob7oD" />
        </Specimen>
      </div>
    </Section>
  )
}

function AllKinds({ isDisabled = false }: { isDisabled?: boolean }) {
  return (
    <div class="row">
      <button type="button" class="main" disabled={isDisabled}>
        {words.save}
      </button>
      <button type="button" disabled={isDisabled}>
        <Icon node={Pencil} />
        {words.edit}
      </button>
      <button type="button" class="danger" disabled={isDisabled}>
        <Icon node={Trash2} />
        {words.remove}
      </button>
      <button type="button" class="plain" disabled={isDisabled}>
        {words.cancel}
      </button>
      <button type="button" class="plain only-icon" aria-label={words.more} disabled={isDisabled}>
        <Icon node={Star} />
      </button>
      <a href="#buttons">{words.link}</a>
    </div>
  )
}
