/** What a program leaves in the clipboard, and the Markdown that it becomes. */
export type Pasted = readonly [from: string, html: string, text: string, markdown: string]

const code = 'if (a) {\n    return b\n}'
const codeLines =
  '<div><span style="color: #c586c0;font-weight: bold;">if</span><span> (a) {</span></div><div><span style="font-style: italic;">    return</span> b</div><div>}</div>'
const vsCode = (font: string, background: string) =>
  `<meta charset='utf-8'><div style="color: #ccc;background-color: ${background};font-family: ${font};font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;">${codeLines}</div>`
const codeTable = (number: string, cell: string) =>
  `<table><tbody>${code
    .split('\n')
    .map((line, at) => `<tr><td ${number}="${at}"></td><td ${cell}><b>${line}</b></td></tr>`)
    .join('')}</tbody></table>`
const wordItem = (level: number, sign: string, words: string, how = '') =>
  `<p class=MsoListParagraph style='${how}text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`
const word = (inner: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style>p.MsoNormal {margin:0cm}</style></head><body lang=EN-GB><!--StartFragment-->${inner}<!--EndFragment--></body></html>`
const docs = (inner: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1a2b">${inner}</b><br class="Apple-interchange-newline">`
const docsSpan = (words: string, weight = 400, more = '') =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;font-weight:${weight};font-style:normal;${more}white-space:pre;white-space:pre-wrap;">${words}</span>`

// biome-ignore format: a table reads best in columns
const programs: Pasted[] = [
  ['VS Code',                    vsCode("Consolas, 'Courier New', monospace", '#1f1f1f'), code, code],
  ['VS Code with Fira Code',     vsCode("'Fira Code'", '#ffffff'),      code, code],
  ['VS Code with SF Mono',       vsCode('SF Mono', '#002b36'),          code, code],
  ['a list in VS Code',          vsCode('Iosevka', '#fff').replace('if', '- if'), `- ${code}`, `- ${code}`],
  ['JetBrains',                  `<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body><pre style="background-color:#2b2b2b;color:#a9b7c6;font-family:'JetBrains Mono';font-size:9.8pt;"><span style="color:#cc7832;font-weight:bold;">if </span>(a) {<br>    return b<br>}</pre></body></html>`, code, code],
  ['Visual Studio',              `<html><body><!--StartFragment--><pre style="font-family:Cascadia Mono;font-size:13px;color:black;background:white;"><span style="color:blue;">if</span> (a) {\n    return b\n}</pre></body></html>`, code, code],
  ['an editor without a box',    codeLines, code, code],
  ['Windows Terminal',           `<!DOCTYPE><HTML><HEAD></HEAD><BODY><DIV STYLE="display:inline-block;white-space:pre;background-color:#0C0C0C;font-family:Cascadia Mono,Consolas,monospace;"><SPAN STYLE="color:#CCCCCC;font-weight:bold;">$ ls</SPAN><BR>  a  b</DIV></BODY></HTML>`, '$ ls\r\n  a  b', '$ ls\n  a  b'],
  ['a file of GitHub',           codeTable('data-line-number', 'class="blob-code"'), 'x', code],
  ['a file of Sourcegraph',      `<meta charset="utf-8"><div>${codeTable('data-line', 'class="code"')}</div>`, code.replace(/^/gm, '\t'), code],
  ['an answer of an assistant',  '<pre><div><div>js</div><button>Copy</button></div><code class="language-js">let a\n  b</code></pre>', 'js\nlet a\n  b', '```js\nlet a\n  b\n```'],
  ['code beside words',          `See ${codeTable('data-line-number', '')}`, 'x', 'See\n\n| | **if (a) {** |\n| --- | --- |\n| | **return b** |\n| | **}** |'],
  ['a table without rows',       '<table></table>',                     'There', 'There'],
  ['Excel',                      `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td {}</style></head><body><table border=0><!--StartFragment--><col width=64><tr height=20><td class=xl65>Name</td><td>Sum</td></tr><tr><td>Rent</td><td align=right>950</td></tr><!--EndFragment--></table></body></html>`, 'Name\tSum\r\nRent\t950\r\n', '| Name | Sum |\n| --- | --- |\n| Rent | 950 |'],
  ['one cell of Excel',          '<table><tr><td>950</td></tr></table>', '950\r\n', '950\n'],
  ['a list of Word',             word(wordItem(1, '·', 'First <b>item</b>') + wordItem(1, '·', 'Second item')), '·\tFirst item\r\n·\tSecond item', '- First **item**\n- Second item'],
  ['a list in a list of Word',   word(`<p class=MsoNormal>Todo:</p>${wordItem(1, '·', 'a')}${wordItem(2, 'o', 'b', 'margin-left:72.0pt;')}${wordItem(2, 'o', 'c')}${wordItem(1, '·', 'd')}`), 'Todo:', 'Todo:\n\n- a\n  - b\n  - c\n- d'],
  ['a numbered list of Word',    word(wordItem(1, '3.', 'a') + wordItem(2, 'a)', 'b') + wordItem(1, '4.', 'c')), 'x', '3. a\n  1. b\n4. c'],
  ['runs of Word',               word('<p class=MsoNormal><b><span lang=EN-GB>Hel</span></b><b><span>lo</span></b> you<o:p></o:p></p>'), 'Hello you', '**Hello** you'],
  ['bold over paragraphs',       '<b><p>one</p><p>two</p></b>',         'one\n\ntwo', '**one**\n\n**two**'],
  ['bold over lines and items',  '<strong>one<br>two<ul><li>three</li></ul></strong>', 'x', '**one**\n**two**\n\n- **three**'],
  ['bold with blanks',           'a<b> word </b>b',                     'a word b', 'a **word** b'],
  ['bold within bold',           '<b>one <span style="font-weight:700">two</span></b>', 'one two', '**one two**'],
  ['bold blanks',                'a<b> </b><i>b</i>',                   'a b', 'a *b*'],
  ['Google Docs',                docs(`<p dir="ltr">${docsSpan('Plain ')}${docsSpan('bold', 700)}${docsSpan(' and ')}${docsSpan('gone', 400, 'text-decoration:line-through;')}</p>`), 'Plain bold and gone', 'Plain **bold** and ~~gone~~'],
  ['a list of Google Docs',      docs(`<ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${docsSpan('one')}</p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation">${docsSpan('two', 700)}</p></li></ul></ul>`), 'one\ntwo', '- one\n  - **two**'],
  ['a heading of Google Docs',   docs(`<h1 dir="ltr">${docsSpan('Title')}</h1><p dir="ltr">${docsSpan('Text')}</p>`), 'Title\nText', '# Title\n\nText'],
  ['Slack',                      `<meta charset='utf-8'><b data-stringify-type="bold">Ship</b><span> it </span><img data-stringify-type="emoji" data-stringify-emoji=":+1:" alt="+1" src="https://a.test/1.png"><span class="c-mrkdwn__br" data-stringify-type="paragraph-break"></span><code data-stringify-type="code" class="c-mrkdwn__code">npm ci</code>`, 'Ship it\n\nnpm ci', '**Ship** it :+1:\n\n`npm ci`'],
  ['Gmail',                      '<div dir="ltr">Hi Jo,<div><br></div><div>see <b>this</b>:</div><div>one line</div><div><br></div><div>Al</div></div>', 'x', 'Hi Jo,\n\nsee **this**:\none line\n\nAl'],
  ['plain lines of Gmail',       '<div dir="ltr">Hi Jo,<div><br></div><div>  see this</div></div>', 'Hi Jo,\n\n  see this', 'Hi Jo,\n\n  see this'],
  ['a title of a page',          '<h1 class="title">A title</h1>',      'A title', 'A title'],
  ['a title with a mark',        '<meta charset="utf-8"><h2>A <code>title</code></h2>', 'A title', 'A `title`'],
  ['a title with its text',      '<h2>Title</h2><p>Text</p>',           'Title\n\nText', '## Title\n\nText'],
  ['a page',                     '<p>See <a href="https://a.test/x">the <b>page</b></a>, <i>please</i>.</p>', 'See the page, please.', 'See [the **page**](https://a.test/x), *please*.'],
  ['code of a page',             '<div class="highlight"><pre><code class="language-js">let a\n  b</code></pre></div>', 'let a\n  b', '```js\nlet a\n  b\n```'],
]

/** How programs write a task, whose words may have marks or be a paragraph. */
// biome-ignore format: a table reads best in columns
const tasks: readonly [from: string, open: string, item: (isDone: boolean, words: string) => string, close: string][] = [
  ['GitHub', '<ul class="contains-task-list">', (isDone, words) => `<li class="task-list-item enabled"><input type="checkbox" class="task-list-item-checkbox"${isDone ? ' checked=""' : ''}> ${words}</li>`, '</ul>'],
  ['GitLab', '<ul class="task-list" dir="auto">', (isDone, words) => `<li class="task-list-item"><p><task-button></task-button><input type="checkbox" disabled${isDone ? ' checked' : ''}> ${words}</p></li>`, '</ul>'],
  ['a label', '<ul>', (isDone, words) => `<li><label><input type="checkbox"${isDone ? ' checked' : ''}>&nbsp;${words}</label></li>`, '</ul>'],
  ['TipTap', '<ul data-type="taskList">', (isDone, words) => `<li data-checked="${isDone}" data-type="taskItem"><label><input type="checkbox"${isDone ? ' checked' : ''}><span></span></label><div><p>${words}</p></div></li>`, '</ul>'],
  ['Google Docs', '<b style="font-weight:normal;" id="docs-internal-guid-1a"><ul>', (isDone, words) => `<li dir="ltr" role="checkbox" aria-checked="${isDone}"><img src="data:image/png;base64,iVBORw0KGgo=" alt="${isDone ? '' : 'un'}checked" aria-roledescription="checkbox"><p role="presentation"><span style="font-weight:400">${words}</span></p></li>`, '</ul></b>'],
  ['pages of Confluence', '<ul class="inline-task-list">', (isDone, words) => `<li data-inline-task-id="1" class="${isDone ? 'checked' : ''}"><span>${words}</span></li>`, '</ul>'],
  ['the editor of Confluence', '<div data-node-type="actionList">', (isDone, words) => `<div data-task-local-id="b" data-task-state="${isDone ? 'DONE' : 'TODO'}">${words}</div>`, '</div>'],
  ['Outline', '<ul class="checkbox_list">', (isDone, words) => `<li data-type="checkbox_item"><span><span class="checkbox" aria-checked="${isDone}" role="checkbox"></span></span><div><p>${words}</p></div></li>`, '</ul>'],
  ['Quill', '<ol>', (isDone, words) => `<li data-list="${isDone ? 'checked' : 'unchecked'}"><span class="ql-ui"></span>${words}</li>`, '</ol>'],
  ['Discourse', '<ul>', (isDone, words) => `<li class="has-checkbox"><span class="chcklst-box${isDone ? ' checked' : ''} fa"></span> ${words}</li>`, '</ul>'],
]
const taskWords: readonly [html: string, markdown: string][] = [
  ['plain', 'plain'],
  ['<strong>bold</strong> at the start', '**bold** at the start'],
  ['<a href="https://a.test/x">a link</a>', '[a link](https://a.test/x)'],
]
const taskLists: readonly Pasted[] = tasks.map(([from, open, item, close]) => {
  const all = taskWords.flatMap((words) => [true, false].map((isDone) => ({ isDone, words })))
  return [
    `tasks of ${from}`,
    open + all.map(({ isDone, words: [html] }) => item(isDone, html)).join('') + close,
    'x',
    all
      .map(({ isDone, words: [, markdown] }) => `- [${isDone ? 'x' : ' '}] ${markdown}`)
      .join('\n'),
  ]
})

/** How programs write the items of a list that is not inside another, by its level. */
// biome-ignore format: a table reads best in columns
const levels: readonly [from: string, open: string, item: (level: number, words: string) => string, close: string][] = [
  ['Slack', '', (level, words) => `<ul data-stringify-type="unordered-list" data-indent="${level - 1}"><li data-stringify-indent="${level - 1}">${words}</li></ul>`, ''],
  ['Word for the web', '', (level, words) => `<div class="ListContainerWrapper"><ul class="BulletListStyle1"><li data-leveltext="o" data-aria-level="${level}"><p class="Paragraph"><span>${words}</span></p></li></ul></div>`, ''],
  ['Quill', '<ul>', (level, words) => `<li${level > 1 ? ` class="ql-indent-${level - 1}"` : ''}>${words}</li>`, '</ul>'],
  ['Quill 2', '<ol>', (level, words) => `<li data-list="bullet" class="ql-indent-${level - 1}">${words}</li>`, '</ol>'],
  ['Word', '', (level, words) => wordItem(level, '·', words), ''],
]
const steps = [1, 2, 3, 2, 1, 2, 1, 1]
const levelLists: readonly Pasted[] = levels.map(([from, open, item, close]) => [
  `levels of ${from}`,
  open + steps.map((level, at) => item(level, `item ${at}`)).join('') + close,
  'x',
  steps.map((level, at) => `${'  '.repeat(level - 1)}- item ${at}`).join('\n'),
])

const annotation = (source: string) =>
  `<annotation encoding="application/x-tex">${source}</annotation>`
const katex = (source: string) =>
  `<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi>${annotation(source)}</semantics></math></span><span class="katex-html" aria-hidden="true">x</span></span>`
const wikipedia = '{\\displaystyle x^{2}}'

// biome-ignore format: a table reads best in columns
const pages: readonly Pasted[] = [
  ['formulas and code of an assistant', `<p>So ${katex('x^{2}')}:</p><pre><div>js</div><div><button>Copy code</button></div><div><code class="language-js">a</code></div></pre><div>b</div><div>c</div>`, 'x', 'So $$x^{2}$$:\n\n```js\na\n```\n\nb\nc'],
  ['formulas without their source', '<p>So <span class="katex"><span class="katex-html">x2</span></span> <b>y</b></p>', 'x', 'So x2 **y**'],
  ['formulas of Gemini',            '<p>So <span data-math="x^2"><span class="katex"><span class="katex-html">x2</span></span></span>.</p>', 'x', 'So $$x^2$$.'],
  ['formulas of Wikipedia',         `<p>So <span class="mwe-math-element"><span style="display: none;"><math><semantics><mi>x</mi>${annotation(wikipedia)}</semantics></math></span><img class="mwe-math-fallback-image-inline" alt="${wikipedia}" src="https://a.test/x.svg"></span>.</p>`, 'x', 'So $$x^{2}$$.'],
  ['a formula in lines of its own', `<p>So</p><img class="mwe-math-fallback-image-display" alt="${wikipedia}" src="https://a.test/x.svg">`, 'x', 'So\n\n```math\nx^{2}\n```'],
  ['formulas of arXiv',             `<p>So <math alttext="x"><semantics><mi>x</mi>${annotation('x^{2}')}</semantics></math>.</p>`, 'x', 'So $$x^{2}$$.'],
  ['headings with links to them',   '<h2>Use<a class="headerlink" href="https://a.test/#use">¶</a></h2><h3><a href="https://a.test/#more">§</a>More</h3><p>Text<a href="https://a.test/#note">☆</a></p>', 'x', '## Use\n\n### More\n\nText'],
  ['a card that is a link',         '<a href="https://a.test"><h3>Title</h3><p>Text</p></a><p>x</p>', 'x', '[Title Text](https://a.test)\n\nx'],
  ['words that nobody sees',        '<p>a<span style="color:red;display:none">b</span><span hidden>c</span> <b>d</b></p>', 'a d', 'a **d**'],
  ['times of other pages',          '<p><b>Ann</b> <time datetime="2026-11-20T10:00:00.000Z">10:00</time>, <time datetime="PT4H">4 h</time></p>', 'x', '**Ann** 10:00, 4 h'],
  ['a stream of news',              '<div class="stream"><div>a <b>b</b></div><div>c</div></div>', 'x', 'a **b**\nc'],
  ['merged cells',                  '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>', 'x', '| a | b | |\n| --- | --- | --- |\n| | c | d |'],
  ['the buttons of code',           '<div><div class="head"><button class="icon copy-icon">Copy</button></div><pre><code>a</code></pre></div>', 'x', '```\na\n```'],
]

export const clipboards: readonly Pasted[] = [...programs, ...taskLists, ...levelLists, ...pages]
