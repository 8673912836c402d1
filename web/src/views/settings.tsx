import { useState } from 'preact/hooks'
import { apiPaths, type SettingRow, type Settings } from '../../../src/dashboard/types.ts'
import { visible } from '../data/visible-text.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Empty, Read } from '../parts/states.tsx'

/** The configuration in force, and set-up lines for each agent. */
export function SettingsView() {
  return (
    <>
      <div class="view-head">
        <h1>Settings</h1>
      </div>
      <Read<Settings> path={apiPaths.settings()}>
        {(settings) => (
          <>
            <Agents settings={settings} />
            <Values settings={settings} />
          </>
        )}
      </Read>
    </>
  )
}

function Agents({ settings }: { readonly settings: Settings }) {
  return (
    <section class="card">
      <h2>Set up an agent</h2>
      <p class="muted">Copy the line, and the agent's requests go through this gateway.</p>
      <ul class="setups">
        {settings.agents.map(({ agent, where, lines }) => (
          <li key={`${agent} ${where}`}>
            <div class="setup-head">
              <h3>{agent}</h3>
              <span class="muted">{where === 'shell' ? 'in a shell' : where}</span>
              <CopyButton text={lines.join('\n')} what={`set-up of ${agent}`} />
            </div>
            <pre class="code wrap">{lines.join('\n')}</pre>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Values({ settings }: { readonly settings: Settings }) {
  const [query, setQuery] = useState('')
  const [onlySet, setOnlySet] = useState(false)
  const found = settings.values.filter(
    ({ key, sourceKind, description }) =>
      (!onlySet || (sourceKind !== 'default' && sourceKind !== 'preset')) &&
      `${key} ${description ?? ''}`.toLowerCase().includes(query.toLowerCase()),
  )
  return (
    <section class="card">
      <h2>In force</h2>
      <p class="muted">
        Each value and where it comes from. Change it in one of the files below; the gateway reads
        them when it starts.
      </p>
      <ul class="files-read">
        {settings.files.map(({ path, state }) => (
          <li key={path}>
            <code>{visible(path)}</code> <span class={`badge ${state}`}>{stateNames[state]}</span>
          </li>
        ))}
      </ul>
      <div class="filters">
        <SearchField value={query} search={setQuery} />
        <label class="check">
          <input
            type="checkbox"
            checked={onlySet}
            onChange={(event) => setOnlySet(event.currentTarget.checked)}
          />
          Only what you set
        </label>
      </div>
      {found.length === 0 ? (
        <Empty title="Nothing matches">
          <p>{onlySet ? 'Every value is a default.' : 'Try another word.'}</p>
        </Empty>
      ) : (
        <Scroll label="Values">
          <table class="values">
            <thead>
              <tr>
                <th>Key</th>
                <th>Value</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {found.map((row) => (
                <Value key={row.key} row={row} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  )
}

const stateNames = { read: 'read', absent: 'not there', untrusted: 'not trusted' } as const

function Value({ row }: { readonly row: SettingRow }) {
  const isOwn = row.sourceKind !== 'default' && row.sourceKind !== 'preset'
  return (
    <tr>
      <td>
        <code>{row.key}</code>
        {row.description !== null && <small class="muted">{row.description}</small>}
      </td>
      <td>
        <code class="value">{visible(row.value)}</code>
      </td>
      <td>
        <span class={isOwn ? 'badge live' : 'badge'}>{visible(row.source)}</span>
      </td>
    </tr>
  )
}
