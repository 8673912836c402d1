/** Texts of the classes that the estimator is judged by, written for it or generated; the same on every run. */

export interface TokenSample {
  readonly name: string
  readonly text: string
}

const TYPESCRIPT = `import { readFile } from 'node:fs/promises'
import type { Harbour, Ship, TideTable } from './harbour.ts'

/** A berth is free when no ship lies in it and the tide leaves enough water under the keel. */
export interface BerthQuery {
  readonly draughtMetres: number
  readonly arrivesAt: Date
  readonly needsCrane?: boolean
}

const MINIMUM_CLEARANCE_METRES = 0.8

export class BerthPlanner {
  #assigned = new Map<string, Ship[]>()

  constructor(private readonly harbour: Harbour, private readonly tides: TideTable) {}

  findBerth({ draughtMetres, arrivesAt, needsCrane = false }: BerthQuery): string | undefined {
    const candidates = this.harbour.berths.filter((berth) => !needsCrane || berth.hasCrane)
    for (const berth of candidates) {
      const depth = berth.depthMetres + this.tides.heightAt(arrivesAt)
      if (depth - draughtMetres < MINIMUM_CLEARANCE_METRES) continue
      if (!this.#assigned.get(berth.id)?.some((ship) => ship.leavesAt > arrivesAt)) return berth.id
    }
    return undefined
  }

  async loadAssignments(path: string): Promise<number> {
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!Array.isArray(parsed)) throw new TypeError(\`expected an array in \${path}\`)
    for (const { berthId, ship } of parsed as { berthId: string; ship: Ship }[]) {
      const list = this.#assigned.get(berthId) ?? []
      this.#assigned.set(berthId, [...list, ship])
    }
    return this.#assigned.size
  }
}
`

const PYTHON = `"""Counts birds at feeders from the readings of small scales."""
from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Feeder:
    name: str
    empty_grams: float
    readings: list[tuple[int, float]] = field(default_factory=list)

    def visits(self, lightest_bird: float = 7.5) -> int:
        count, previous = 0, self.empty_grams
        for _, grams in sorted(self.readings):
            if grams - previous >= lightest_bird:
                count += 1
            previous = grams
        return count


def read_feeders(folder: Path) -> dict[str, Feeder]:
    feeders: dict[str, Feeder] = {}
    skipped = defaultdict(int)
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as handle:
            for row in csv.DictReader(handle):
                try:
                    feeder = feeders.setdefault(row["feeder"], Feeder(row["feeder"], float(row["tare"])))
                    feeder.readings.append((int(row["unix_time"]), float(row["grams"])))
                except (KeyError, ValueError) as error:
                    skipped[path.name] += 1
                    print(f"skipped a row of {path.name}: {error!r}")
    return feeders


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lightest", type=float, default=7.5, help="grams of the lightest bird")
    args = parser.parse_args()
    for name, feeder in read_feeders(args.folder).items():
        print(f"{name:<20} {feeder.visits(args.lightest):>5}")
`

const MARKDOWN = `# Lantern

Lantern turns a folder of notes into a small website. It needs no database, and it never rewrites your files.

## Getting started

1. Install it with \`npm install --global lantern-notes\`.
2. Run \`lantern serve ./notes\` and open <http://localhost:4100>.
3. Edit a note: the page reloads by itself, usually in less than 50 ms.

| option | default | what it does |
|---|---|---|
| \`--port\` | 4100 | where the preview listens |
| \`--drafts\` | off | shows notes whose front matter says \`draft: true\` |
| \`--theme\` | \`paper\` | one of \`paper\`, \`ink\`, or a path to a stylesheet |

### Links between notes

Write \`[[Another note]]\` and Lantern finds it by title, by file name, or by one of its *aliases*. If two notes have
the same title, you'll get a warning and the nearest one wins. That's **not** configurable, because we couldn't think
of a rule that wouldn't surprise somebody.

> Tip: backlinks are listed at the bottom of each page, sorted by date.

\`\`\`yaml
title: Growing tomatoes
aliases: [tomatoes, "love apples"]
draft: false
\`\`\`

See [the roadmap](docs/roadmap.md) for what comes next, and don't hesitate to open an issue.
`

const CHINESE = `# 项目说明

这个工具会读取一个文件夹里的全部笔记,并生成一个静态网站。它不需要数据库,也不会修改原来的文件。运行命令后,打开浏览器就可以看到结果。

如果同名的文件不止一个,程序会给出警告,并选择距离最近的那一个。春天来了,院子里的桃树开满了花,邻居家的孩子们每天放学以后都跑来玩。老人坐在门口晒太阳,慢慢讲起年轻时候在山里修路的故事。
配置项说明:端口默认是 4100,主题可以填写样式表的路径。遇到网络错误时请先检查代理设置,然后再重新尝试连接服务器。感谢所有参与测试和翻译的朋友。
`

const JAPANESE = `# はじめに

このツールはフォルダーの中のメモを読み込み、小さなウェブサイトを作ります。データベースは必要ありません。元のファイルを書き換えることもありません。

コマンドを実行してからブラウザーを開くと、結果がすぐに表示されます。同じ名前のメモが二つあるときは、警告を出して近いほうを選びます。
駅前の古い喫茶店では、毎朝七時になると店主が窓を開け、コーヒーの香りが通りまで流れてくる。雨の日でも常連客は傘をさしてやって来て、新聞を読みながら静かに時間を過ごしていた。
設定ファイルが見つからない場合は、初期値を使用します。エラーが発生したときは、ログを確認してください。
`

const KOREAN = `# 시작하기

이 도구는 폴더에 있는 메모를 읽어서 작은 웹사이트를 만듭니다. 데이터베이스가 필요 없고 원래 파일을 고치지 않습니다.

명령을 실행한 다음 브라우저를 열면 결과를 바로 볼 수 있습니다. 같은 이름의 메모가 두 개 있으면 경고를 보여 주고 가까운 쪽을 선택합니다.
할머니는 매일 아침 시장에 가서 신선한 채소와 생선을 샀다. 비가 오는 날에도 우산을 쓰고 천천히 걸어가며 이웃 사람들과 인사를 나누었다.
설정 파일을 찾을 수 없으면 기본값을 사용합니다. 오류가 발생하면 로그를 확인해 주세요.
`

/** A generator of numbers from 0 to below 1 that depends on nothing but its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function hexDigits(random: () => number, count: number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('')
}

/** A unified diff that changes some lines of the source. */
export function diffOf(path: string, source: string): string {
  const lines = source.split('\n').flatMap((line, index) => {
    if (index % 7 === 3)
      return [`-${line}`, `+${line.replace('const', 'let').replace('name', 'label')}`]
    return index % 11 === 5 ? [`+${line}`] : [` ${line}`]
  })
  const head = `diff --git a/${path} b/${path}\nindex 3f2a91c..b07de44 100644\n--- a/${path}\n+++ b/${path}\n`
  return `${head}@@ -1,${lines.length} +1,${lines.length + 4} @@\n${lines.join('\n')}\n`
}

/** What `grep -n` would print of the source for a pattern that most lines match. */
export function grepOf(path: string, source: string): string {
  return source
    .split('\n')
    .map((line, index) => `${path}:${index + 1}:${line}`)
    .filter((line) => /[a-z(]{4}/.test(line))
    .join('\n')
}

function records(count: number): readonly Record<string, unknown>[] {
  const random = seededRandom(3)
  const cities = ['Lisbon', 'Aarhus', 'Osaka', 'Montevideo', 'Halifax']
  return Array.from({ length: count }, (_, index) => ({
    id: `${hexDigits(random, 8)}-${hexDigits(random, 4)}-4${hexDigits(random, 3)}-a${hexDigits(random, 3)}-${hexDigits(random, 12)}`,
    shipmentNumber: 100_000 + Math.floor(random() * 900_000),
    city: cities[index % cities.length],
    weight_kg: Math.round(random() * 1e5) / 100,
    delivered: random() < 0.6,
    checksum: hexDigits(random, 40),
    note: index % 3 === 0 ? null : 'Leave it with the neighbour if nobody answers the door.',
    createdAt: new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString(),
  }))
}

function logOf(count: number): string {
  const random = seededRandom(9)
  const messages = [
    () =>
      `INFO  [http] GET /api/shipments/${Math.floor(random() * 1e6)} 200 in ${Math.floor(random() * 900)}ms`,
    () =>
      `WARN  [pool] connection ${hexDigits(random, 8)} idle for ${Math.floor(random() * 60)}s, closing`,
    () =>
      `ERROR [worker-${Math.floor(random() * 8)}] could not parse message: unexpected end of input`,
    () => `DEBUG [cache] miss for key session:${hexDigits(random, 16)}, loading from store`,
  ]
  return Array.from({ length: count }, (_, index) => {
    const message = messages[Math.floor(random() * messages.length)]
    return `${new Date(1.71e12 + index * 1370).toISOString()} ${message?.() ?? ''}`
  }).join('\n')
}

/** One text or more of each class; every class is named before the first space of a sample's name. */
export function tokenSamples(): readonly TokenSample[] {
  return [
    { name: 'TypeScript', text: TYPESCRIPT },
    {
      name: 'TypeScript with tabs and CRLF',
      text: TYPESCRIPT.replaceAll('  ', '\t').replaceAll('\n', '\r\n'),
    },
    { name: 'Python', text: PYTHON },
    { name: 'diff of TypeScript', text: diffOf('src/berth-planner.ts', TYPESCRIPT) },
    { name: 'diff of Python', text: diffOf('feeders/count.py', PYTHON) },
    { name: 'grep in TypeScript', text: grepOf('src/planning/berth-planner.ts', TYPESCRIPT) },
    { name: 'grep in Python', text: grepOf('/home/ada/feeders/count_birds.py', PYTHON) },
    { name: 'JSON indented', text: JSON.stringify(records(60), null, 2) },
    { name: 'JSON minified', text: JSON.stringify(records(60)) },
    { name: 'Markdown', text: MARKDOWN },
    { name: 'log', text: logOf(400) },
    { name: 'CJK Chinese', text: CHINESE },
    { name: 'CJK Japanese', text: JAPANESE },
    { name: 'CJK Korean', text: KOREAN },
  ]
}
