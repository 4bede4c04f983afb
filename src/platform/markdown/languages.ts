export interface Language {
  /** Its Pygments name, which clients show and playgrounds refer to. */
  name: string
  /** Its highlight.js grammar, if any. */
  grammar: string | undefined
}

/** `name|aliases|grammar`: Pygments names and aliases, and the highlight.js grammar to use. */
const table = `
ABAP|abap|
ABNF|abnf|
ActionScript|actionscript as|
ActionScript 3|actionscript3 as3|
Ada|ada ada95 ada2005|ada
Agda|agda|
Alloy|alloy|
AMPL|ampl|
ANTLR|antlr|
ApacheConf|apacheconf aconf apache|apache
APL|apl|
AppleScript|applescript|applescript
Arduino|arduino|cpp
Arturo|arturo art|
ASCII armored|asc pem|
AsciiDoc|asciidoc adoc|asciidoc
AspectJ|aspectj|java
AutoHotkey|autohotkey ahk|
AutoIt|autoit|
Awk|awk gawk mawk nawk|awk
Ballerina|ballerina|
Bash|bash sh ksh zsh shell openrc|bash
Bash Session|console shell-session|bash
Batchfile|batch bat dosbatch winbatch|dos
BBC Basic|bbcbasic|basic
BBCode|bbcode|
BC|bc|
Befunge|befunge|
Bicep|bicep|
BibTeX|bibtex bib|
Bison|bison|
BNF|bnf|
Boa|boa|
Boo|boo|
Boogie|boogie|
Brainfuck|brainfuck bf|
C|c|c
C#|csharp c# cs|csharp
C++|cpp c++|cpp
Cap'n Proto|capnp|
Carbon|carbon|
CDDL|cddl|
Ceylon|ceylon|
CFEngine3|cfengine3 cf3|
Chapel|chapel chpl|
Clay|clay|
Clean|clean|
Clojure|clojure clj|clojure
ClojureScript|clojurescript cljs|clojure
CMake|cmake|cmake
COBOL|cobol|
CoffeeScript|coffeescript coffee-script coffee|coffeescript
Coldfusion HTML|cfm|xml
Common Lisp|common-lisp cl lisp|lisp
Coq|coq rocq rocq-prover|
Crystal|cr crystal|crystal
CSS|css|css
CSS+Django/Jinja|css+django css+jinja|css
CSS+Genshi Text|css+genshitext css+genshi|css
CSS+Mako|css+mako|css
CSS+PHP|css+php|php
CSS+Ruby|css+ruby css+erb|css
CSS+Smarty|css+smarty|css
CUDA|cuda cu|cpp
Cypher|cypher|
Cython|cython pyx pyrex|python
D|d|d
Darcs Patch|dpatch|diff
Dart|dart|dart
DASM16|dasm16|
Dax|dax|
Debian Control file|debcontrol control|
Debian Sources file|debian.sources|
Debian Sourcelist|debsources sourceslist sources.list|
Delphi|delphi pas pascal objectpascal|delphi
Devicetree|devicetree dts|
Diff|diff udiff|diff
Django/Jinja|django jinja|django
Docker|docker dockerfile|dockerfile
DTD|dtd|xml
Dylan|dylan|
Earl Grey|earl-grey earlgrey eg|
Easytrieve|easytrieve|
EBNF|ebnf|
eC|ec|c
Eiffel|eiffel|
Elixir|elixir ex exs|elixir
Elixir iex session|iex|elixir
Elm|elm|elm
Elpi|elpi|
EmacsLisp|emacs-lisp elisp emacs|lisp
E-mail|email eml|
ERB|erb|erb
Erlang|erlang|erlang
Erlang erl session|erl|erlang
Factor|factor|
Fancy|fancy fy|
Fantom|fan|
Fennel|fennel fnl|lisp
Fish|fish fishshell|bash
Fortran|fortran f90|fortran
FortranFixed|fortranfixed|fortran
FSharp|fsharp f#|fsharp
FStar|fstar|
Futhark|futhark|
GAP|gap|
GAS|gas asm|x86asm
GDScript|gdscript gd|
Genshi|genshi kid xml+genshi xml+kid|xml
Gettext Catalog|pot po|
Gherkin|gherkin cucumber|
Gleam|gleam|rust
GLSL|glsl|glsl
Gnuplot|gnuplot|
Go|go golang|go
Golo|golo|
Gosu|gosu|
Graphviz|graphviz dot|
GraphQL|graphql|graphql
Groff|groff nroff man|
Groovy|groovy|groovy
GSQL|gsql|
Haml|haml|haml
Handlebars|handlebars|handlebars
Hare|hare|
Haskell|haskell hs|haskell
Haxe|haxe hxsl hx|haxe
HLSL|hlsl|glsl
HTML|html|xml
HTML + Angular2|html+ng2|xml
HTML+Cheetah|html+cheetah html+spitfire htmlcheetah|xml
HTML+Django/Jinja|html+django html+jinja htmldjango|django
HTML+Evoque|html+evoque|xml
HTML+Genshi|html+genshi html+kid|xml
HTML+Handlebars|html+handlebars|handlebars
HTML+Mako|html+mako|xml
HTML+PHP|html+php|php
HTML+Smarty|html+smarty|xml
HTML+Twig|html+twig|twig
HTTP|http|
Hy|hylang hy|clojure
Idris|idris idr|haskell
IDL|idl|
Igor|igor igorpro|
INI|ini cfg dosini|ini
Inform 6|inform6 i6|
Inform 7|inform7 i7|
Io|io|
Ioke|ioke ik|
IRC logs|irc|
Isabelle|isabelle|
J|j|
Janet|janet|clojure
Java|java|java
Java Server Page|jsp|xml
JavaScript|javascript js|javascript
JavaScript+Django/Jinja|javascript+django js+django javascript+jinja js+jinja|javascript
JavaScript+Genshi Text|js+genshitext js+genshi javascript+genshitext javascript+genshi|javascript
JavaScript+Mako|javascript+mako js+mako|javascript
JavaScript+PHP|javascript+php js+php|php
JavaScript+Ruby|javascript+ruby js+ruby javascript+erb js+erb|javascript
JavaScript+Smarty|javascript+smarty js+smarty|javascript
JSLT|jslt|
JSON|json json-object jsonl ndjson|json
JSON5|json5|json
JSON-LD|jsonld json-ld|json
Jsonnet|jsonnet|javascript
JSX|jsx react|javascript
Julia|julia jl|julia
Julia console|jlcon julia-repl|julia
Juttle|juttle|
Kconfig|kconfig menuconfig linux-config kernel-config|
Kotlin|kotlin|kotlin
Kusto|kql kusto|
Lasso|lasso lassoscript|
LDIF|ldif|
Lean|lean lean3|
Lean4|lean4|
LessCss|less|less
Lighttpd configuration file|lighttpd lighty|
LilyPond|lilypond|
LiquidHaskell|liquidhaskell|haskell
liquid|liquid|
Literate Haskell|literate-haskell lhaskell lhs|haskell
LiveScript|livescript live-script|
LLVM|llvm|llvm
Logos|logos|
Logtalk|logtalk|
Lua|lua|lua
Luau|luau|lua
Macaulay2|macaulay2|
Makefile|make makefile mf bsdmake|makefile
Mako|mako|
Maple|maple|
Markdown|markdown md|markdown
Mathematica|mathematica mma nb|
Matlab|matlab|matlab
Matlab session|matlabsession|matlab
Maxima|maxima macsyma|
MCFunction|mcfunction mcf|
Meson|meson meson.build|python
MIPS|mips|
Modelica|modelica|
Modula-2|modula2 m2|
MoinMoin/Trac Wiki markup|trac-wiki moin|
Mojo|mojo|python
Monkey|monkey|
MoonScript|moonscript moon|
MSDOS Session|doscon|dos
MXML|mxml|xml
MySQL|mysql|sql
NASM|nasm|x86asm
Nemerle|nemerle|
nesC|nesc|c
NestedText|nestedtext nt|
Newick|newick|
NewLisp|newlisp|lisp
Nginx configuration file|nginx|nginx
Nimrod|nimrod nim|nim
Nit|nit|
Nix|nixos nix|nix
NSIS|nsis nsi nsh|
NumPy|numpy|python
Nu|nu|
Objective-C|objective-c objectivec obj-c objc|objectivec
Objective-C++|objective-c++ objectivec++ obj-c++ objc++|objectivec
OCaml|ocaml|ocaml
Octave|octave|matlab
Odin|odin|
OpenEdge ABL|openedge abl progress|
OpenSCAD|openscad|
Org Mode|org orgmode org-mode|
Pan|pan|
Perl|perl pl|perl
Perl6|perl6 pl6 raku|perl
Phix|phix|
PHP|php php3 php4 php5|php
Pig|pig|
Pike|pike|
PkgConfig|pkgconfig|ini
PL/pgSQL|plpgsql|sql
Pony|pony|
PostgreSQL console (psql)|psql postgresql-console postgres-console|sql
PostgreSQL SQL dialect|postgresql postgres|sql
PostScript|postscript postscr|
PowerShell|powershell pwsh posh ps1 psm1|powershell
PowerShell Session|pwsh-session ps1con|powershell
Praat|praat|
Prolog|prolog|prolog
PromQL|promql|
Properties|properties jproperties|properties
Protocol Buffer|protobuf proto|protobuf
PRQL|prql|
Pug|pug jade|
Puppet|puppet|puppet
Python|python py sage python3 py3 bazel starlark pyi|python
Python 2.x|python2 py2|python
Python 2.x Traceback|py2tb|python
Python console session|pycon python-console|python-repl
Python Traceback|pytb py3tb|python
QML|qml qbs|javascript
Racket|racket rkt|scheme
Ragel|ragel|
Rebol|rebol|
Red|red red/system|
reg|registry|ini
Rego|rego|
ResourceBundle|resourcebundle resource|
reStructuredText|restructuredtext rst rest|
Rexx|rexx arexx|
RHTML|rhtml html+erb html+ruby|erb
Ride|ride|
RobotFramework|robotframework|
RPMSpec|spec|
RSL|rsl|
Ruby|ruby rb duby|ruby
Ruby irb session|rbcon irb|ruby
Rust|rust rs|rust
S|splus s r|r
SAS|sas|sas
Sass|sass|scss
Scala|scala|scala
Scheme|scheme scm|scheme
Scilab|scilab|
SCSS|scss|scss
ShExC|shexc shex|
Slim|slim|
Smali|smali|
Smalltalk|smalltalk squeak st|smalltalk
SmartGameFormat|sgf|
Smarty|smarty|
Snobol|snobol|
Snowball|snowball|
Solidity|solidity|
SPARQL|sparql|
SQL|sql|sql
SQL+Jinja|sql+jinja|sql
sqlite3con|sqlite3|sql
SquidConf|squidconf squid.conf squid|
Standard ML|sml|
Stan|stan|
Stata|stata do|
SuperCollider|supercollider sc|
Swift|swift|swift
SWIG|swig|cpp
systemd|systemd|ini
SystemVerilog|systemverilog sv|verilog
TableGen|tablegen td|
Tcl|tcl|tcl
Tcsh|tcsh csh|bash
Teal|teal|lua
Tera Term macro|teratermmacro teraterm ttl|
Termcap|termcap|
Terraform|terraform tf hcl|
TeX|tex latex|latex
Text only|text|
Thrift|thrift|thrift
Todotxt|todotxt|
TOML|toml|ini
TrafficScript|trafficscript rts|
Transact-SQL|tsql t-sql|sql
TSX|tsx|typescript
Turtle|turtle|
Twig|twig|twig
TypeScript|typescript ts|typescript
Typst|typst|
TypoScript|typoscript|
ucode|ucode|
Unicon|unicon|
USD|usd usda|
Vala|vala vapi|vala
VB.net|vb.net vbnet lobas oobas sobas visual-basic visualbasic|vbnet
VBScript|vbscript|
VCL|vcl|
Velocity|velocity|
verilog|verilog v|verilog
vhdl|vhdl|vhdl
VimL|vim|vim
Visual Prolog|visualprolog|prolog
Vue|vue|xml
Vyper|vyper|python
WDiff|wdiff|diff
Web IDL|webidl|
WebAssembly|wast wat|wasm
WebGPU Shading Language|wgsl|
Wren|wren|
X10|x10 xten|
XML|xml svg|xml
XML+Django/Jinja|xml+django xml+jinja|xml
XML+Mako|xml+mako|xml
XML+PHP|xml+php|php
XML+Ruby|xml+ruby xml+erb|xml
XML+Smarty|xml+smarty|xml
XQuery|xquery xqy xq xql xqm|
XSLT|xslt|xml
Xtend|xtend|
YAML|yaml yml|yaml
YAML+Jinja|yaml+jinja salt sls|yaml
Yang|yang|
Yul|yul|
Zeek|zeek bro|
Zephir|zephir|
Zig|zig|
`

let languages: Map<string, Language> | undefined

/** The language with this Pygments alias, case-insensitively, or undefined. */
export function languageOf(shortName: string): Language | undefined {
  if (shortName === '') return undefined
  languages ??= readTable()
  return languages.get(shortName.toLowerCase())
}

function readTable(): Map<string, Language> {
  const read = new Map<string, Language>()
  for (const line of table.trim().split('\n')) {
    const [name = '', aliases = '', grammar] = line.split('|')
    const language = { name, grammar: grammar || undefined }
    for (const alias of aliases.split(' ')) if (alias !== '') read.set(alias, language)
  }
  return read
}
