package catalog

// mainland are services in mainland China that the list of the module lacks, with their addresses
// and the variables of their documentation. Their keys do not count at the international
// addresses of the same companies. Models, windows and prices (in yuan) are not kept here: their
// endpoints list the models.
var mainland = []Provider{
	{ID: "alibaba-china", Name: "Alibaba (China)", BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1", KeyEnv: "DASHSCOPE_API_KEY"},
	{ID: "moonshot-china", Name: "Moonshot (China)", BaseURL: "https://api.moonshot.cn/v1", KeyEnv: "MOONSHOT_API_KEY"},
	{ID: "volcengine-ark", Name: "Volcengine Ark", BaseURL: "https://ark.cn-beijing.volces.com/api/v3", KeyEnv: "ARK_API_KEY"},
	{ID: "hunyuan", Name: "Tencent Hunyuan", BaseURL: "https://api.hunyuan.cloud.tencent.com/v1", KeyEnv: "HUNYUAN_API_KEY"},
	{ID: "qianfan", Name: "Baidu Qianfan", BaseURL: "https://qianfan.baidubce.com/v2", KeyEnv: "QIANFAN_API_KEY"},
	{ID: "siliconflow", Name: "SiliconFlow", BaseURL: "https://api.siliconflow.cn/v1", KeyEnv: "SILICONFLOW_API_KEY"},
}
