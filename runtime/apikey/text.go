package apikey

import "society-tui/runtime/i18n"

// Why there is no key.
var (
	textNoSource      = i18n.Text{EN: `must be "env:NAME", "file:PATH", "keyring:NAME", or a list of a program and its arguments`, ZH: `应为 "env:变量"、"file:路径"、"keyring:名称"，或由程序及其参数组成的列表`}
	textOtherOrigin   = i18n.Text{EN: "this key is for %s and is not sent to %s: enter another", ZH: "这个密钥属于 %s，不会发送给 %s：请另外输入"}
	textEmpty         = i18n.Text{EN: "the key is empty: enter another", ZH: "密钥为空：请另外输入"}
	textTooLong       = i18n.Text{EN: "the key is longer than %d KiB", ZH: "密钥超过 %d KiB"}
	textBadKey        = i18n.Text{EN: "the key contains a space, a line break or another character that keys cannot have", ZH: "密钥含有空格、换行或密钥不能有的其他字符"}
	textCommandTime   = i18n.Text{EN: "%s printed no key within %s", ZH: "%s 在 %s 内没有输出密钥"}
	textCommandFailed = i18n.Text{EN: "no key, because %s failed: %v", ZH: "没有密钥，因为 %s 失败：%v"}
	textNoFile        = i18n.Text{EN: "there is no file %s with the key: enter it", ZH: "没有存放密钥的文件 %s：请输入密钥"}
	textNoKeysFile    = i18n.Text{EN: "%s cannot be read: a line must be \"name\" = \"key\"", ZH: "无法读取 %s：每行应为 \"名称\" = \"密钥\""}
	textNotInFile     = i18n.Text{EN: "%s has no key for this endpoint: enter it", ZH: "%s 中没有此端点的密钥：请输入"}
	textOthersRead    = i18n.Text{EN: "others can read %s (mode %04o), so the key in it is not used: run chmod 600 on it", ZH: "其他用户可以读取 %s（权限 %04o），因此不使用其中的密钥：请对它运行 chmod 600"}
	textLargeFile     = i18n.Text{EN: "%s is larger than %d KiB, so no key in it is used or changed", ZH: "%s 超过 %d KiB，因此不使用也不更改其中的密钥"}
	textKeyringTime   = i18n.Text{EN: "the keyring did not answer within %s", ZH: "密钥环在 %s 内没有回应"}
	textNoKeyring     = i18n.Text{EN: "the keyring cannot be read, so there is no key: unlock it, or enter the key again (%v)", ZH: "无法读取密钥环，因此没有密钥：请解锁，或重新输入密钥（%v）"}
	textNotInKeyring  = i18n.Text{EN: "the keyring has no key for this endpoint: enter it", ZH: "密钥环中没有此端点的密钥：请输入"}
)

// Where a key is.
var (
	textInVariable = i18n.Text{EN: "variable %s", ZH: "变量 %s"}
	textInFile     = i18n.Text{EN: "file %s", ZH: "文件 %s"}
	textInKeyring  = i18n.Text{EN: "keyring", ZH: "密钥环"}
	textByCommand  = i18n.Text{EN: "command %s", ZH: "命令 %s"}
	textNoKey      = i18n.Text{EN: "no key", ZH: "无密钥"}
)
