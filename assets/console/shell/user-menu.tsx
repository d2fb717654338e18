/** The menu of the signed-in user, with the user's preferences and the button to sign out. */
import { Ellipsis, LogOut, User } from 'lucide'
import { request } from '../api.ts'
import { nameOf, useApp } from '../app-context.ts'
import { draftsOf, forgetDrafts } from '../component/draft.ts'
import { Icon } from '../component/icon.tsx'
import { Menu } from '../component/menu.tsx'
import { Tile } from '../component/tile.tsx'
import { densities, densityIn } from '../densities.ts'
import { useDensity } from '../density.ts'
import { hrefOf } from '../router.ts'
import { endSession, refreshToken } from '../session.ts'
import { chooseSingleKeys, hasSingleKeys } from '../single-keys.ts'
import { chooseLanguage, languageCode, languages, text } from '../text/text.ts'
import { chooseTheme, theme, themes } from '../theme.ts'

export function UserMenu() {
  const { user } = useApp()
  const shown = nameOf(user)
  const [density, chooseDensity] = useDensity(user.id)
  return (
    <div class="user-menu">
      <Menu
        label={
          <>
            <Tile name={shown} size="small" isRound />
            <span class="truncate">{shown}</span>
            <Icon node={Ellipsis} />
          </>
        }
      >
        <a class="button" href={hrefOf('/account')}>
          <Icon node={User} />
          {text.navigation.account}
        </a>
        <Preference
          label={text.navigation.theme}
          chosen={theme()}
          options={themes.map((each) => [each, text.navigation.themes[each]])}
          choose={(value) => chooseTheme(themes.find((each) => each === value) ?? 'system')}
        />
        <Preference
          label={text.navigation.density}
          chosen={density ?? 'normal'}
          options={densities.map((each) => [each, text.navigation.densities[each]])}
          choose={(value) => chooseDensity(densityIn(value) ?? 'normal')}
        />
        <Preference
          label={text.navigation.singleKeys}
          chosen={hasSingleKeys() ? 'on' : 'off'}
          options={[
            ['on', text.state.yes],
            ['off', text.state.no],
          ]}
          choose={(value) => chooseSingleKeys(value === 'on')}
        />
        <Preference
          label={text.navigation.language}
          chosen={languageCode}
          options={languages}
          choose={chooseLanguage}
        />
        <button type="button" onClick={() => void signOut(draftsOf(user))}>
          <Icon node={LogOut} />
          {text.navigation.signOut}
        </button>
      </Menu>
    </div>
  )
}

interface PreferenceProps {
  label: string
  chosen: string
  options: readonly (readonly [value: string, label: string])[]
  choose: (value: string) => void
}

function Preference({ label, chosen, options, choose }: PreferenceProps) {
  return (
    <label class="preference">
      <span>{label}</span>
      <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/**
 * Signs out. The browser forgets the session even if the service cannot be reached.
 * @param drafts the beginning of the names of the drafts to delete
 */
async function signOut(drafts: string): Promise<void> {
  try {
    await request('POST', '/api/auth/logout', { body: { refreshToken: refreshToken() } })
  } finally {
    forgetDrafts(drafts)
    endSession()
  }
}
